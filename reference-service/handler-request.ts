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

/** One handler per row: a new row of the catalogue doesn't compile without one. */
export type Handlers = { readonly [O in OperationId]: Handler<CallArguments<O>> };

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}
