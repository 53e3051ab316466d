import type { RequestBody, RequestSchemaName } from '../../schemas/index.ts';
import type { AreaId } from './areas.ts';
import { readProfile } from './known-requests.ts';
import { type Operation, type OperationId, operationIds, operations } from './operations.ts';

/** Callable operations: the fourteen, and `readProfile` for FRIEND_PROFILE_REQUEST. */
export type CallableId = OperationId | typeof readProfile.id;

export const callableIds: readonly CallableId[] = [...operationIds, readProfile.id];

type Parameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Parameters<Rest> : never;

type Entry<O extends OperationId> = (typeof operations)[O];

/** Operations without a body: their arguments are path parameters. */
export type PathOperationId = {
  [O in OperationId]: Entry<O> extends { request: RequestSchemaName } ? never : O;
}[OperationId];

/** The arguments of an operation: its request body, or its path parameters. No operation has both. */
export type CallArguments<O extends CallableId> = O extends OperationId
  ? Entry<O> extends { request: infer S extends RequestSchemaName }
    ? RequestBody<S>
    : Readonly<Record<Parameters<Entry<O>['path']>, string>>
  : Readonly<{ userId: string }>;

/** The operations of an area. */
export type OperationsOf<A extends AreaId> =
  | { [O in OperationId]: Entry<O>['area'] extends A ? O : never }[OperationId]
  | (A extends (typeof readProfile)['area'] ? typeof readProfile.id : never);

const withIds = new Map<OperationId, Operation>(operationIds.map((id) => [id, { id, ...operations[id] }]));

/** An operation with its id. */
export function operation(id: OperationId): Operation {
  return withIds.get(id) as Operation;
}

/** The names of a path's parameters, in order. */
export function pathParameters(path: string): readonly string[] {
  const known = parametersOf.get(path) ?? [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  parametersOf.set(path, known);
  return known;
}

/** By the paths of operations, which are few, and asked for with each request. */
const parametersOf = new Map<string, readonly string[]>();
