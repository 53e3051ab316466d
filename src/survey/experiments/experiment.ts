import type { CallableId } from '../../spec/index.ts';
import type { Body, OperationEntry, Question } from '../asking/question.ts';
import type { Finding } from '../facts/fact.ts';

export interface Experiment {
  /** Its questions about an operation; none if it doesn't apply. */
  readonly questions: (entry: OperationEntry) => readonly string[];
  /** @throws Undecided with what was tried. */
  readonly run: (question: Question) => Promise<Finding>;
  /** How a run checks whether its answer still holds: once more, or with fewer requests. Absent: it isn't checked. */
  readonly check?: 'once more' | Check;
}

/** Returns the answer that a survey found, or the new one. */
export type Check = (question: Question, answer: string) => Promise<Finding>;

export function oneQuestion(
  question: string,
  isSuch: (entry: OperationEntry) => boolean,
  run: Experiment['run'],
  check?: Experiment['check'],
): Experiment {
  return { questions: (entry) => (isSuch(entry) ? [question] : []), run, ...(check ? { check } : {}) };
}

export const every = () => true;

export const among =
  (...ids: readonly CallableId[]) =>
  ({ id }: OperationEntry) =>
    ids.includes(id);

export const spoilt =
  (change: (body: Body, question: Question) => unknown): Experiment['run'] =>
  async (question) => {
    await question.withComparison();
    return question.sendInvalid(change(await question.valid(), question));
  };
