import type { CallArguments, OperationId } from '../src/service/index.ts';
import type { Reply } from './json-server.ts';
import type { State } from './state/index.ts';

export interface Visit<A = unknown> {
  readonly state: State;
  /** The acting user. Empty for the header set `apiKey`, which names no user. */
  readonly userId: string;
  readonly clientId: string;
  readonly args: A;
  readonly now: Date;
}

/** Carries out an operation. Throws a `Refusal` to reject the request. */
export type Handler<A = unknown> = (visit: Visit<A>) => Reply;

interface ServedOperation<A> {
  readonly handle: Handler<A>;
  /** The possible success statuses, in the order in which a survey sees them. */
  readonly statuses: readonly number[];
  /** The shape of the successful bodies, as a survey describes it: `{id: string}`, or `no body`. */
  readonly body: string;
}

/** A handler for each operation. A new operation doesn't compile without one. */
export type Served = { readonly [O in OperationId]: ServedOperation<CallArguments<O>> };

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}
