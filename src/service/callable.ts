import { type RequestBody, type RequestSchemaName, requestSchemas } from '../../schemas/requests.ts';
import type { AreaId } from './areas.ts';
import { type HeaderName, headerSets } from './headers.ts';
import { readProfile } from './known-requests.ts';
import { type Operation, type OperationId, operationIds, operations } from './operations.ts';

/**
 * The ids of operations that a scenario can call: those of the specification, and `readProfile`, whose request FRIEND_PROFILE_REQUEST
 * defines.
 */
export type CallableId = OperationId | typeof readProfile.id;

export const callableIds: readonly CallableId[] = [...operationIds, readProfile.id];

type Parameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Parameters<Rest> : never;

type Entry<O extends OperationId> = (typeof operations)[O];

/** Operations without a body. Their arguments are path parameters. */
export type PathOperationId = {
  [O in OperationId]: Entry<O> extends { request: RequestSchemaName } ? never : O;
}[OperationId];

/** The arguments of an operation: the fields of its request body, or its path parameters. No operation has both. */
export type CallArguments<O extends CallableId> = O extends OperationId
  ? Entry<O> extends { request: infer S extends RequestSchemaName }
    ? RequestBody<S>
    : Readonly<Record<Parameters<Entry<O>['path']>, string>>
  : Readonly<{ userId: string }>;

export type OperationsOf<A extends AreaId> =
  | { [O in OperationId]: Entry<O>['area'] extends A ? O : never }[OperationId]
  | (A extends (typeof readProfile)['area'] ? typeof readProfile.id : never);

/** The areas with at least one operation that needs a user's token (header `Authorization`). */
export type UserArea = {
  [O in OperationId]: 'authorization' extends (typeof headerSets)[Entry<O>['headerSet']][number]
    ? Entry<O>['area']
    : never;
}[OperationId];

export type OperationsWith<F extends keyof Operation> = {
  [O in OperationId]: Entry<O> extends { readonly [K in F]: NonNullable<Operation[F]> } ? O : never;
}[OperationId];

const withIds = new Map<OperationId, Operation>(
  operationIds.map((id, index) => [id, { id, row: index + 1, ...operations[id] }]),
);

export function operation(id: OperationId): Operation {
  return withIds.get(id) as Operation;
}

/**
 * An operation of the specification, or `readProfile`. The result has no method and path, because FRIEND_PROFILE_REQUEST defines those of
 * `readProfile`.
 */
export function callable(id: CallableId): Omit<Operation, 'method' | 'path'> {
  return id === readProfile.id ? readProfile : operation(id);
}

export function headersOf(id: CallableId): readonly HeaderName[] {
  return headerSets[callable(id).headerSet];
}

export function requestFields({ request }: Pick<Operation, 'request'>): readonly string[] {
  return request ? Object.keys(requestSchemas[request].properties) : [];
}

/** The operation whose change `id` undoes; `undefined` if `id` undoes nothing. */
export function undoneChange(id: string): OperationId | undefined {
  return operationIds.find((change) => operation(change).undo === id);
}

/** The parameters of each path, kept because each call asks for them several times. */
const parametersOf = new Map<string, readonly string[]>();

export function pathParameters(path: string): readonly string[] {
  const names = parametersOf.get(path) ?? [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  parametersOf.set(path, names);
  return names;
}
