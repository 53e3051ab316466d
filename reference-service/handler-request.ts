import type { CallArguments, OperationId } from '../src/spec/index.ts';
import type { State } from './state/index.ts';

/** An authenticated, valid request on its way to its handler. */
export interface Visit<A = unknown> {
  readonly state: State;
  /** The acting user; empty for the apiKey header set, which names none. */
  readonly userId: string;
  readonly clientId: string;
  /** The body, or the path parameters. */
  readonly args: A;
  readonly now: Date;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** Does what an operation does; throws a `Refusal` for what it won't. */
export type Handler<A = unknown> = (visit: Visit<A>) => Reply;

interface ServedOperation<A> {
  readonly handle: Handler<A>;
  /** The statuses of its successes, in the order in which a survey sees them. */
  readonly statuses: readonly number[];
  /** What its successes hold, in a survey's words: `{id: string}`, or `no body`. */
  readonly body: string;
}

/** One for each operation: a new one doesn't compile without. */
export type Served = { readonly [O in OperationId]: ServedOperation<CallArguments<O>> };

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}
