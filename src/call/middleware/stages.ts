import type { Exchange } from '../../http/index.ts';
import type { Operation } from '../../service/index.ts';
import { type Circumstances, type Expected, SuiteFault } from '../../verdict/index.ts';
import type { AwaitedChanges } from '../awaited-changes.ts';
import type { Caller, HeaderChanges } from '../requests/prepare.ts';

export interface CallingSession {
  readonly caller: Caller;
  /** The caller's name in messages; empty for the environment's caller. */
  readonly actor: string;
  readonly context: {
    readonly signal?: AbortSignal | undefined;
    readonly circumstances?: Circumstances;
    readonly awaitedChanges?: AwaitedChanges;
  };
  /** Sends another request, which goes through all stages. */
  exchange(operation: Operation, args: unknown, changes: HeaderChanges, expected?: Expected): Promise<Exchange>;
}

export interface OutgoingCall {
  readonly operation: Operation;
  readonly args: unknown;
  readonly changes: HeaderChanges;
  readonly expected: Expected;
  readonly session: CallingSession;
}

export type Next = (call: OutgoingCall) => Promise<Exchange>;

/** Sends a call, and may delay, change or repeat it. If it throws before `next`, the call was never sent. */
export type Middleware = (call: OutgoingCall, next: Next) => Promise<Exchange>;

/** Gets the outcome of a call: its exchange, or the error that prevented one. */
export type Ended = (exchange: Exchange | undefined, error?: unknown) => void;

/**
 * Checks a call before it is sent. It may refuse the call by throwing a `SuiteFault`, replace it (`instead`), or give it the response to an
 * earlier call (`known`), so that it is not sent.
 */
export type Stage = (call: OutgoingCall) => Stand | Promise<Stand>;
type Stand = { readonly instead?: OutgoingCall; readonly ended?: Ended; readonly known?: Exchange } | undefined;

/** The stages that every request goes through, in this order. */
export interface Stages {
  /** Check whether the request may be sent. */
  readonly allowed: readonly Stage[];
  /** Note everything that an undo needs before the request is sent, so that the request can be undone whatever happens. */
  readonly recorded: readonly Stage[];
  /** Send the request, no faster than the limits allow; the first middleware is the outermost. */
  readonly sent: readonly Middleware[];
  /** Called after each call. It may repeat the call with `pass`, and then returns the exchange of the repeat. */
  readonly settled?: (call: OutgoingCall, exchange: Exchange, pass: Next) => Promise<Exchange>;
}

/** Chains `middleware`, the first one outermost, before `last`. */
export function compose(middleware: readonly Middleware[], last: Next): Next {
  return middleware.reduceRight<Next>((next, outer) => (call) => outer(call, next), last);
}

/** The scenario of a call ended before the call was sent. */
export class TooLate extends SuiteFault {
  override readonly name = 'TooLate';
}
