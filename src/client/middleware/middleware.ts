import type { Operation } from '../../spec/index.ts';
import type { Caller } from '../caller.ts';
import type { Exchange } from '../exchange.ts';
import type { HeaderChanges } from '../prepare.ts';
import type { Expected } from '../verdict/judge.ts';

/** The session that a request is sent in, as far as middleware needs it. */
export interface CallingSession {
  readonly caller: Caller;
  /** Who calls, for messages; empty for the caller of the environment. */
  readonly actor: string;
  readonly context: { readonly signal?: AbortSignal | undefined };
  /** Sends another request, through all middleware. */
  exchange(operation: Operation, args: unknown, changes: HeaderChanges, expected?: Expected): Promise<Exchange>;
}

/** A request on its way to the socket. */
export interface OutgoingCall {
  readonly operation: Operation;
  readonly args: unknown;
  readonly changes: HeaderChanges;
  /** What the caller expects to come of it. */
  readonly expected: Expected;
  readonly session: CallingSession;
}

export type Next = (call: OutgoingCall) => Promise<Exchange>;

/**
 * Stands between every call and the socket: it may note it, hold it back, change it, send it again, or refuse it by
 * throwing a `SuiteFault`. What it throws before `next` was never sent.
 */
export type Middleware = (call: OutgoingCall, next: Next) => Promise<Exchange>;

/** The way through `middleware`, the first one outermost, to `last`. */
export function compose(middleware: readonly Middleware[], last: Next): Next {
  return middleware.reduceRight<Next>((next, outer) => (call) => outer(call, next), last);
}
