import type { Operation } from '../../spec/index.ts';
import type { Exchange } from '../exchange.ts';
import type { HeaderChanges } from '../prepare.ts';
import type { Session } from '../session.ts';
import type { Outcome } from '../verdict/judge.ts';

/** A request on its way to the socket. */
export interface Outgoing {
  readonly operation: Operation;
  readonly args: unknown;
  readonly changes: HeaderChanges;
  /** What the caller expects to come of it. */
  readonly outcome: Outcome;
  readonly session: Session;
}

export type Onward = (call: Outgoing) => Promise<Exchange>;

/**
 * Stands between every call and the socket: it may note it, hold it back, change it, send it again, or refuse it by
 * throwing a `SuiteFault`. What it throws before `onward` was never sent.
 */
export type Gate = (call: Outgoing, onward: Onward) => Promise<Exchange>;

/** The way through `gates`, the first one outermost, to `last`. */
export function through(gates: readonly Gate[], last: Onward): Onward {
  return gates.reduceRight<Onward>((onward, gate) => (call) => gate(call, onward), last);
}
