import type { Exchange } from '../../client/index.ts';
import type { CallableId, Operation } from '../../spec/index.ts';
import type { ExperimentRunner } from '../experiment-runner.ts';
import { type Finding, Undecided } from '../fact.ts';
import { reactionText } from '../reaction.ts';

export type { Finding };

export type OperationEntry = Operation & { readonly id: CallableId };

/** One question, or a family of them, that is decided in one way. */
export interface Experiment {
  /** The questions that it decides of an operation; none where it doesn't apply. */
  readonly questions: (entry: OperationEntry) => readonly string[];
  /** @throws Undecided with what was tried. */
  readonly run: (runner: ExperimentRunner, entry: OperationEntry, question: string) => Promise<Finding>;
}

/** What stands behind the colon of a question: `name` in `required-field:name`. */
export function subjectOf(question: string): string {
  return question.slice(question.indexOf(':') + 1);
}

/** An experiment on some operations that asks one question. */
export function oneQuestion(question: string, ids: readonly CallableId[], run: Experiment['run']): Experiment {
  return { questions: ({ id }) => (ids.includes(id) ? [question] : []), run };
}

/** Says how a spoiled request came out, next to a valid one that was accepted. @throws Undecided */
export function cameOut(runner: ExperimentRunner, id: CallableId, exchange: Exchange): Finding {
  const outcome = runner.outcome(id, exchange);
  const answer = reactionText(outcome);
  if (answer === undefined || outcome.kind === 'unclear')
    throw new Undecided(outcome.kind === 'unclear' ? `the outcome is unclear: ${outcome.why}` : '', [exchange]);
  return { answer, seen: [exchange] };
}

/**
 * Makes sure that a valid request is accepted; once is enough, for a survey asks again at the operation's end. Where it would
 * cost something each time, it goes without.
 */
export async function withControl(runner: ExperimentRunner, id: CallableId): Promise<Exchange | undefined> {
  if (runner.isSpared(id)) return undefined;
  return runner.lastControl(id)?.exchange ?? runner.control(id);
}
