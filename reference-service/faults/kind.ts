import type { CallArguments, CallableId, QuestionId } from '../../src/spec/index.ts';
import type { Handler, Visit } from '../handler-request.ts';
import type { Fault } from './fault-switch.ts';

/** The kind of defect; the score is listed by kind. */
export const faultKinds = ['auth', 'state', 'list', 'request', 'answer', 'input', 'wire'] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Deadlines that reveal a slow response without a long wait. */
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
  /** Nothing but what was so before shows it: how often the drill plays the scenarios without it first. */
  readonly driftsAfter?: number;
  /** The open questions of which another reading than the plain one keeps it from showing. */
  readonly hiddenBy?: readonly QuestionId[];
}

/** A valid variant of the service: the suite must pass on it. */
export interface Variant extends Fault {
  /** The place in the specification that leaves it open. */
  readonly correctBecause: string;
}

/** A table of faults of one kind. */
export function ofKind(kind: FaultKind, faults: readonly Omit<CataloguedFault, 'kind'>[]): CataloguedFault[] {
  return faults.map((fault) => ({ kind, ...fault }));
}

/** A faulty handler for one operation. */
export function handle<O extends CallableId>(
  make: (original: Handler<CallArguments<O>>) => Handler<CallArguments<O>>,
): NonNullable<Fault['handle']> {
  return make as unknown as NonNullable<Fault['handle']>;
}

/** A handler that also does `also` for each user who made the change before. */
export function forEarlierUsersToo<O extends CallableId>(
  also: (visit: Visit<CallArguments<O>>, original: Handler<CallArguments<O>>) => void,
): NonNullable<Fault['handle']> {
  return handle<O>((original) => {
    const users = new Set<string>();
    return (visit) => {
      for (const userId of users) also({ ...visit, userId }, original);
      users.add(visit.userId);
      return original(visit);
    };
  });
}
