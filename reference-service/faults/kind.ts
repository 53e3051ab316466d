import type { CallArguments, CallableId } from '../../src/spec/index.ts';
import type { Handler } from '../handler-request.ts';
import type { Fault } from './fault-switch.ts';

/** What sort of defect a fault is: the score is told by it. */
export const faultKinds = ['auth', 'state', 'list', 'request', 'answer', 'input', 'wire'] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Deadlines under which a fault of pace shows without anybody waiting long for it. */
export interface Deadlines {
  readonly requestTimeoutMs?: number;
  readonly slowAfterMs?: number;
}

/** A defect that a real team could ship, and what it breaks. */
export interface CataloguedFault extends Fault {
  readonly kind: FaultKind;
  /** The sentence that it breaks, with its place in the document; or HTTP common sense. */
  readonly breaks: string;
  /** documented: the document says what is broken · assumed: only common sense does. */
  readonly grade: 'documented' | 'assumed';
  readonly deadlines?: Deadlines;
  /** Why no test can see it. A fault without this must be caught, one with it must not be. */
  readonly survives?: string;
}

/** Another correct reading of the document: the suite must stay green on it. */
export interface Variant extends Fault {
  /** The sentence, with its place in the document, that leaves it open. */
  readonly correctBecause: string;
}

/** A table of faults of one kind. */
export function ofKind(kind: FaultKind, faults: readonly Omit<CataloguedFault, 'kind'>[]): CataloguedFault[] {
  return faults.map((fault) => ({ kind, ...fault }));
}

/** The handler of one operation, done wrong. */
export function handle<O extends CallableId>(
  make: (original: Handler<CallArguments<O>>) => Handler<CallArguments<O>>,
): NonNullable<Fault['handle']> {
  return make as unknown as NonNullable<Fault['handle']>;
}
