import { type CallArguments, type CallableId, callableIds } from '../../src/service/index.ts';
import type { Fault } from './fault-switch.ts';
import type { MakeHandler } from './tamper.ts';

export const faultKinds = ['auth', 'state', 'list', 'request', 'answer', 'input', 'wire'] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Deadlines {
  readonly requestTimeoutMs?: number;
  readonly slowAfterMs?: number;
}

/** A defect that a real team could ship. */
export interface CataloguedFault extends Fault {
  readonly kind: FaultKind;
  /** The violated sentence of the specification with its part, or `common sense: …`. */
  readonly breaks: string;
  /** documented: the fault violates the specification · assumed: it violates only HTTP common sense. */
  readonly grade: 'documented' | 'assumed';
  /** An issue about the same kind of defect in another service: owner/repository#number. */
  readonly seenIn?: string;
  readonly deadlines?: Deadlines;
  /**
   * The reason why no test can detect the fault. With a reason, the suite must miss the fault; without a reason, it must catch the fault.
   */
  readonly survives?: string;
  /**
   * The fact without which a run can't notice the fault, as `operation question: answer`. A survey of the healthy service finds this fact.
   */
  readonly breaksFact?: `${CallableId} ${string}: ${string}`;
  /**
   * Questions that the specification leaves open. The suite can detect the fault only if the service follows the first reading of each
   * question in `reference-service/readings/`, as the unchanged service does.
   */
  readonly hiddenBy?: readonly string[];
}

/** A variant of the service that is as correct as the original, so the suite must pass on it. */
export interface Variant extends Fault {
  /** The place in the specification that leaves this behaviour open. */
  readonly correctBecause: string;
}

export function handle<O extends CallableId>(make: MakeHandler<CallArguments<O>>): NonNullable<Fault['handle']> {
  return make as unknown as NonNullable<Fault['handle']>;
}

type Facts<Of> = Partial<Omit<Of, 'name' | 'handle'>>;

/** A row of a table of faults: either only a handler, or properties that replace or complete the properties of the whole table. */
type Row<Of, Make> = Make | (Facts<Of> & { readonly handle?: Make });

/** Rows by name. Each name begins with the operation that has the fault. */
type Table<Of> = { readonly [O in CallableId as `${O}-${string}`]: Row<Of, MakeHandler<CallArguments<O>>> };

/**
 * Makes the faults of one kind. `breaks` is the violated sentence, unless a row has its own. If the sentence begins with "common sense",
 * the grade is assumed; otherwise it is documented.
 */
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
/** The hooks of a fault, in a type that doesn't say which operation the handler is for. */
export type AnyHooks = Omit<Fault, 'name' | 'operation' | 'handle'> & { readonly handle?: AnyMake };

/** Gives hooks the type that a fault needs. The cast is safe, because a handler gets only requests for the operation of its fault. */
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
