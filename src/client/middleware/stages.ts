import type { Operation, OperationId } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller, HeaderChanges } from '../requests/prepare.ts';
import { SuiteFault } from '../verdict/category.ts';
import type { Circumstances } from '../verdict/expectation-error.ts';
import type { Expected } from '../verdict/judge.ts';

export interface CallingSession {
  readonly caller: Caller;
  /** The caller's name in messages; empty for the environment's caller. */
  readonly actor: string;
  readonly context: {
    readonly signal?: AbortSignal | undefined;
    readonly circumstances?: Circumstances;
    readonly awaitedUndos?: AwaitedUndos;
  };
  /** Sends another request, through all middleware. */
  exchange(operation: Operation, args: unknown, changes: HeaderChanges, expected?: Expected): Promise<Exchange>;
}

/** How the run's waits for an undo ended: it was seen, or the change was still shown when the time was up. */
export interface AwaitedUndos {
  all(): readonly AwaitedUndo[];
  add(entry: AwaitedUndo): void;
}

interface AwaitedUndo {
  readonly undo: OperationId;
  readonly isSeen: boolean;
}

export interface OutgoingCall {
  readonly operation: Operation;
  readonly args: unknown;
  readonly changes: HeaderChanges;
  readonly expected: Expected;
  readonly session: CallingSession;
}

export type Next = (call: OutgoingCall) => Promise<Exchange>;

/** What sends a call: it may delay, change or repeat it. What it throws before `next` was never sent. */
export type Middleware = (call: OutgoingCall, next: Next) => Promise<Exchange>;

/** Hears what came of a call: its exchange, or what kept it from being sent or answered. */
export type Ended = (exchange: Exchange | undefined, error?: unknown) => void;

/**
 * Looks at a call before it is sent, and may refuse it by throwing a `SuiteFault`, have it sent with another effect, or give it the response
 * to an earlier one (`known`), so that it isn't sent.
 */
export type Stage = (call: OutgoingCall) => Stand | Promise<Stand>;
type Stand = { readonly instead?: OutgoingCall; readonly ended?: Ended; readonly known?: Exchange } | undefined;

/** What every request passes, in this order. */
export interface Stages {
  /** May it be sent? */
  readonly allowed: readonly Stage[];
  /** What must be known before it is sent, so that it can be undone whatever happens. */
  readonly recorded: readonly Stage[];
  /** How it is sent: at the service's pace, the first one outermost. */
  readonly sent: readonly Middleware[];
  /** After a call of a scenario's body: may send it again by `pass`, and then returns what came of that. */
  readonly settled?: (call: OutgoingCall, exchange: Exchange, pass: Next) => Promise<Exchange>;
}

/** The chain through `middleware`, the first one outermost, to `last`. */
export function compose(middleware: readonly Middleware[], last: Next): Next {
  return middleware.reduceRight<Next>((next, outer) => (call) => outer(call, next), last);
}

/** The scenario of a call is over, so it was not sent. */
export class TooLate extends SuiteFault {
  override readonly name = 'TooLate';
}
