import { type CallArguments, type CallableId, callableIds } from '../../src/service/index.ts';
import type { Fault } from './fault-switch.ts';
import type { MakeHandler } from './tamper.ts';

export const faultKinds = ['auth', 'state', 'list', 'request', 'answer', 'input', 'wire'] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Deadlines {
  readonly requestTimeoutMs?: number;
  readonly slowAfterMs?: number;
}

/** A defect that a real team could ship, and the sentence that it violates. */
export interface CataloguedFault extends Fault {
  readonly kind: FaultKind;
  /** The sentence that it violates, with its place in the specification; or HTTP common sense. */
  readonly breaks: string;
  /** documented: it violates the specification · assumed: it violates only common sense. */
  readonly grade: 'documented' | 'assumed';
  /** A report of the same defect in a service of the kind: owner/repository#number. */
  readonly seenIn?: string;
  readonly deadlines?: Deadlines;
  /** The reason why no test can detect it. A fault without this must be caught, one with it must not be. */
  readonly survives?: string;
  /** Nothing but a fact of the service shows it, which a survey sees once: `operation question: answer`. */
  readonly breaksFact?: `${CallableId} ${string}: ${string}`;
  /** The questions (`reference-service/readings/`) of which another reading than the plain one keeps it from showing. */
  readonly hiddenBy?: readonly string[];
}

/** A valid variant of the service: the suite must pass on it. */
export interface Variant extends Fault {
  /** The place in the specification that leaves it open. */
  readonly correctBecause: string;
}

export function handle<O extends CallableId>(make: MakeHandler<CallArguments<O>>): NonNullable<Fault['handle']> {
  return make as unknown as NonNullable<Fault['handle']>;
}

type Facts<Of> = Partial<Omit<Of, 'name' | 'handle'>>;

/** The faulty part, in addition to that of the whole table; only a handler if the table adds nothing. */
type Row<Of, Make> = Make | (Facts<Of> & { readonly handle?: Make });

/** By name, which begins with the operation. */
type Table<Of> = { readonly [O in CallableId as `${O}-${string}`]: Row<Of, MakeHandler<CallArguments<O>>> };

/** Faults of one kind that violate one sentence, or that of their row: common sense is assumed, any other sentence documented. */
export function ofKind(kind: FaultKind, breaks: string, table: Table<CataloguedFault>): CataloguedFault[] {
  return rowsOf(table).map((row) => {
    const isSense = (row.breaks ?? breaks).startsWith('common sense');
    return { kind, grade: isSense ? 'assumed' : 'documented', breaks, ...row };
  });
}

export function correct(correctBecause: string, table: Table<Variant>): Variant[] {
  return rowsOf(table).map((row) => ({ correctBecause, ...row }));
}

type AnyMake = (original: never) => unknown;
/** Hooks with a handler for whichever operation. */
export type AnyHooks = Omit<Fault, 'name' | 'operation' | 'handle'> & { readonly handle?: AnyMake };

/** The same as a fault has them: each is only used for its own operation. */
export function hooksOf({ handle: make, ...hooks }: AnyHooks): Omit<Fault, 'name' | 'operation'> {
  return { ...hooks, ...(make ? { handle: make as NonNullable<Fault['handle']> } : {}) };
}

function rowsOf(
  table: Readonly<Record<string, Row<CataloguedFault & Variant, AnyMake>>>,
): (Facts<CataloguedFault & Variant> & Fault)[] {
  return Object.entries(table).map(([name, row]) => {
    const operation = callableIds.find((id) => name.startsWith(`${id}-`)) ?? 'all';
    return { name, operation, ...hooksOf(typeof row === 'function' ? { handle: row } : row) };
  });
}
