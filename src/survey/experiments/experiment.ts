import type { Exchange, LearnedFact } from '../../client/index.ts';
import type { CallableId, Operation } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { isAlike } from '../asking/reaction.ts';
import { type Finding, Undecided } from '../facts/fact.ts';

export type { Finding };

export type OperationEntry = Operation & { readonly id: CallableId };

/** An experiment for one question, or a family of them. */
export interface Experiment {
  /** Its questions about an operation; none if it doesn't apply. */
  readonly questions: (entry: OperationEntry) => readonly string[];
  /** @throws Undecided with what was tried. */
  readonly run: (runner: ExperimentRunner, entry: OperationEntry, question: string) => Promise<Finding>;
  /** How a run checks whether its answer still holds: once more, or with fewer requests. Absent: it isn't checked. */
  readonly check?: 'once more' | Check;
}

/** Returns the answer of the fact, or the new one. */
export type Check = (runner: ExperimentRunner, entry: OperationEntry, fact: LearnedFact) => Promise<Finding>;

/** The part after the colon of a question: `name` in `required-field:name`. */
export function subjectOf(question: string): string {
  return question.slice(question.indexOf(':') + 1);
}

export function oneQuestion(
  question: string,
  ids: readonly CallableId[],
  run: Experiment['run'],
  check?: Experiment['check'],
): Experiment {
  return { questions: ({ id }) => (ids.includes(id) ? [question] : []), run, ...(check ? { check } : {}) };
}

/**
 * The outcome of an invalid request, next to an accepted valid one. Next to a refused one (a story is reported already), only
 * another refusal counts: it comes from a check that is made before. @throws Undecided
 */
export function cameOut(runner: ExperimentRunner, id: CallableId, exchange: Exchange): Finding {
  const outcome = runner.outcome(id, exchange);
  if (outcome.kind === 'unclear') throw new Undecided(`the outcome is unclear: ${outcome.why}`, [exchange]);
  if (outcome.kind === 'accepted') return { answer: 'accepted', seen: [exchange] };
  const refused = runner.refusedControl(id);
  if (refused && isAlike(exchange, refused))
    throw new Undecided(`a valid request is refused in the same way, with ${outcome.status}`, [refused[0], exchange]);
  return { answer: `refused with ${outcome.status}`, seen: [exchange] };
}

/**
 * Makes sure that a valid request is accepted; once is enough, because a survey checks again at the end of the operation. If
 * each request has a cost, this is skipped.
 */
export async function withControl(runner: ExperimentRunner, id: CallableId): Promise<Exchange | undefined> {
  if (runner.isSpared(id)) return undefined;
  return runner.lastControl(id)?.exchange ?? runner.control(id);
}

/** As `withControl`, but a valid request that is known to be refused will do: `cameOut` compares with it. */
export async function withComparison(runner: ExperimentRunner, id: CallableId): Promise<void> {
  if (runner.refusedControl(id)) return;
  try {
    await withControl(runner, id);
  } catch (error) {
    if (!(error instanceof Undecided && runner.refusedControl(id))) throw error;
  }
}
