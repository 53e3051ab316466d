import type { Operation } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller, HeaderChanges } from '../requests/prepare.ts';
import type { Expected } from '../verdict/judge.ts';

/** The session of a request, as far as middleware needs it. */
export interface CallingSession {
  readonly caller: Caller;
  /** The caller's name in messages; empty for the environment's caller. */
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
  readonly expected: Expected;
  readonly session: CallingSession;
}

export type Next = (call: OutgoingCall) => Promise<Exchange>;

/**
 * Code between every call and the socket: it may record, delay, change or repeat the call, or refuse it by
 * throwing a `SuiteFault`. What it throws before `next` was never sent.
 */
export type Middleware = (call: OutgoingCall, next: Next) => Promise<Exchange>;

/** The chain through `middleware`, the first one outermost, to `last`. */
export function compose(middleware: readonly Middleware[], last: Next): Next {
  return middleware.reduceRight<Next>((next, outer) => (call) => outer(call, next), last);
}

const putBacks = new WeakSet<object>();

/** Arguments that restore what was there before: sending them is not a change to undo. */
export function asRestoration<T>(args: T): T {
  if (typeof args === 'object' && args !== null) putBacks.add(args);
  return args;
}

export function isPutBack(args: unknown): boolean {
  return typeof args === 'object' && args !== null && putBacks.has(args);
}
