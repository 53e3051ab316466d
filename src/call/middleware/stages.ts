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
  /** Sends another request, through all middleware. */
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

/** Gets the outcome of a call: its exchange, or the error that kept it from being sent or answered. */
export type Ended = (exchange: Exchange | undefined, error?: unknown) => void;

/**
 * Looks at a call before it is sent, and may refuse it by throwing a `SuiteFault`, have it sent with another effect, or give it the response
 * to an earlier one (`known`), so that it isn't sent.
 */
export type Stage = (call: OutgoingCall) => Stand | Promise<Stand>;
type Stand = { readonly instead?: OutgoingCall; readonly ended?: Ended; readonly known?: Exchange } | undefined;

/** The stages that every request passes, in this order. */
export interface Stages {
  /** May it be sent? */
  readonly allowed: readonly Stage[];
  /** Notes before the request is sent all that an undo needs, so that the request can be undone whatever happens. */
  readonly recorded: readonly Stage[];
  /** How it is sent: at the service's pace, the first one outermost. */
  readonly sent: readonly Middleware[];
  /** After a call of a scenario's body: may repeat the call by `pass`, and then returns the exchange of the repeat. */
  readonly settled?: (call: OutgoingCall, exchange: Exchange, pass: Next) => Promise<Exchange>;
}

/** The chain through `middleware`, the first one outermost, to `last`. */
export function compose(middleware: readonly Middleware[], last: Next): Next {
  return middleware.reduceRight<Next>((next, outer) => (call) => outer(call, next), last);
}

/** The call's scenario ended before the call was sent. */
export class TooLate extends SuiteFault {
  override readonly name = 'TooLate';
}
