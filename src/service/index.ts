/*
 * The specification as data: areas, header sets, operations, effects, samples.
 * It contains only this data, and functions that look something up in it.
 * Every other folder may import it.
 */
export { type AreaId, areaIds, areas, areaTitle, firstArea } from './areas.ts';
export { namedArguments, userArguments } from './arguments.ts';
export {
  type CallArguments,
  type CallableId,
  callable,
  callableIds,
  headersOf,
  type OperationsOf,
  type OperationsWith,
  operation,
  type PathOperationId,
  pathParameters,
  requestFields,
  type UserArea,
  undoneChange,
} from './callable.ts';
export { type HeaderName, type HeaderSetId, headerSets, headers } from './headers.ts';
export { readProfile } from './known-requests.ts';
export {
  isCompleteList,
  largerSegment,
  type Segment,
  type SegmentMeaning,
  segmentMeaningOf,
  segmentMeanings,
} from './list-segments.ts';
export { type Effect, effects, gravest } from './operation-entry.ts';
export {
  hasTwoSuccesses,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from './operations.ts';
export type { SampleSource } from './sample-source.ts';
export { bodies, exportedBodies, paths, trials } from './samples.ts';
