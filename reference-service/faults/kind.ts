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
  /** The sentence that the fault violates, with its place in the specification, or HTTP common sense. */
  readonly breaks: string;
  /** documented: the fault violates the specification · assumed: it violates only common sense. */
  readonly grade: 'documented' | 'assumed';
  /** An issue about the same defect in a similar service: owner/repository#number. */
  readonly seenIn?: string;
  readonly deadlines?: Deadlines;
  /** The reason why no test can detect the fault. The suite must catch each fault without such a reason, and must not catch a fault with such a reason. */
  readonly survives?: string;
  /** The fact that a run needs to notice the fault, as `operation question: answer`. A survey of the healthy service finds it. */
  readonly breaksFact?: `${CallableId} ${string}: ${string}`;
  /** Questions in `reference-service/readings/` whose readings hide the fault, except for the plain reading. */
  readonly hiddenBy?: readonly string[];
}

/** A valid variant of the service: the suite must pass on it. */
export interface Variant extends Fault {
  /** The place in the specification that leaves this behaviour open. */
  readonly correctBecause: string;
}

export function handle<O extends CallableId>(make: MakeHandler<CallArguments<O>>): NonNullable<Fault['handle']> {
  return make as unknown as NonNullable<Fault['handle']>;
}

type Facts<Of> = Partial<Omit<Of, 'name' | 'handle'>>;

/** A row of a table: what it adds to the facts of the whole table. A row that adds only a handler is that handler. */
type Row<Of, Make> = Make | (Facts<Of> & { readonly handle?: Make });

/** Rows by name. A name begins with the operation. */
type Table<Of> = { readonly [O in CallableId as `${O}-${string}`]: Row<Of, MakeHandler<CallArguments<O>>> };

/**
 * Makes faults of one kind that violate the sentence `breaks`, or the one in their row. Common sense has the grade assumed, any other sentence
 * documented.
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
/** Hooks with a handler for any operation. */
export type AnyHooks = Omit<Fault, 'name' | 'operation' | 'handle'> & { readonly handle?: AnyMake };

/** The same hooks in the type that a fault has. The cast is safe, because each handler is only used for its own operation. */
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
