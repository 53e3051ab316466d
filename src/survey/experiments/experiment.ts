import type { Exchange } from '../../client/index.ts';
import type { CallableId, Operation } from '../../spec/index.ts';
import type { Lab } from '../experiment-runner.ts';
import { type Fact, Undecided } from '../fact.ts';
import { outcomeText } from '../reaction.ts';

/** What an experiment decided, and the exchanges that it rests on. */
export interface Finding {
  readonly answer: Fact['answer'];
  readonly seen: readonly Exchange[];
  /** Where it rests on more answers than those. */
  readonly samples?: number;
}

export type OperationEntry = Operation & { readonly id: CallableId };

/** One question, or a family of them, that is decided in one way. */
export interface Experiment {
  /** The questions that it decides of an operation; none where it doesn't apply. */
  readonly questions: (entry: OperationEntry) => readonly string[];
  /** @throws Undecided with what was tried. */
  readonly run: (lab: Lab, entry: OperationEntry, question: string) => Promise<Finding>;
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
export function cameOut(lab: Lab, id: CallableId, exchange: Exchange): Finding {
  const outcome = lab.outcome(id, exchange);
  const answer = outcomeText(outcome);
  if (answer === undefined || outcome.kind === 'unclear')
    throw new Undecided(outcome.kind === 'unclear' ? `it was sent, and the outcome is unclear: ${outcome.why}` : '', [
      exchange,
    ]);
  return { answer, seen: [exchange] };
}

/** Makes sure that a valid request is accepted; once is enough, for the run asks again at the operation's end. */
export async function withControl(lab: Lab, id: CallableId): Promise<Exchange> {
  return lab.lastControl(id)?.exchange ?? lab.control(id);
}
