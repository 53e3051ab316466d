export { type AreaId, areaIds, areas, areaTitle } from './areas.ts';
export {
  type CallArguments,
  type CallableId,
  callableIds,
  type OperationsOf,
  operation,
  type PathOperationId,
  pathParameters,
} from './callable.ts';
export { type Effect, effects, gravest } from './effects.ts';
export { type HeaderName, type HeaderSetId, headerSets, headers } from './headers.ts';
export { readProfile } from './known-requests.ts';
export {
  hasTwoSuccesses,
  type Method,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from './operations.ts';
export { type OpenQuestion, openQuestions, type QuestionId, questionIds } from './readings.ts';
