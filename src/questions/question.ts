import type { CallableId } from '../service/index.ts';
import type { Answer, Asker, Body, OperationEntry } from './asker/asker.ts';

/** A question that the specification leaves open about operations, and the experiment that answers it. */
export interface Question {
  /** The name of the question in facts, such as `repeat`; for a family, the part before the colon, such as `required-field`. */
  readonly id: string;
  /**
   * The names of the question for an operation, as facts have them. Empty if the question isn't asked about the operation; a family has a
   * name for each subject.
   */
  readonly of: (entry: OperationEntry) => readonly string[];
  /** The part of the specification that leaves the question open, and what is missing there. */
  readonly openIn: string;
  /** The possible answers, in words. */
  readonly answers: string;
  /** The pattern that every answer matches. */
  readonly form: RegExp;
  /** The words for an answer that no longer holds. */
  readonly broken: BrokenWords;
  /** The requests of the experiment in words, with the valid requests to which it compares others. */
  readonly experiment: string;
  /** The effect of the requests that the experiment sends to other operations; absent if these requests change nothing. */
  readonly effect?: 'reversible';
  /** Runs may ask the question, too: its requests are few and never irreversible, use up no id, and save no avatar. */
  readonly askedByRuns?: true;
  /** Runs the experiment. @throws Undecided, which says what was tried */
  readonly ask: (asker: Asker) => Promise<Answer>;
  /**
   * How a run checks whether an answer still holds: it repeats the experiment, or sends fewer requests. Absent if no run checks the answer
   * separately: the scenarios and the schemas of responses reveal a change, or no consumer would notice it.
   */
  readonly hold?: 'again' | Hold;
}

/** A known answer (`was`), and the new one that was found instead. `subject` is the part of the question's name after the colon. */
export interface Broken {
  readonly subject: string;
  readonly was: string;
  readonly now: string;
}

/** The new behaviour of an operation, in words that follow its name, and the earlier behaviour: `no longer shows at /loves`, `it did`. */
export type BrokenWords = (broken: Broken) => readonly [now: string, before: string];

export const isLoose = (answer: string) => /^(accepted|optional|not tied)/.test(answer);
const statusIn = (answer: string) => / \d{3}$/.exec(answer)?.[0];

/** Words for a changed outcome of a request: accepted now, refused now, or refused with another status. */
export const requestWords =
  (request: (subject: string) => string): BrokenWords =>
  ({ subject, was, now }) => {
    const what = request(subject);
    const [before, after] = [was, now].map((answer) => statusIn(answer) && `with${statusIn(answer)}`);
    if (isLoose(was) && isLoose(now)) return [`treats ${what} differently: it is ${now}`, `it was ${was}`];
    if (isLoose(now)) return [`accepts ${what}`, ['it refused it', before].filter(Boolean).join(' ')];
    const refuses = ['refuses', what, after].filter(Boolean).join(' ');
    return isLoose(was) ? [refuses, 'it accepted it'] : [refuses, before ?? 'it refused it'];
  };

/** Words for a question with few possible answers: each has words for the new behaviour and for the earlier one. */
export const meanings =
  (known: Readonly<Record<string, readonly [now: string, before: string]>>): BrokenWords =>
  ({ was, now }) => [known[now]?.[0] ?? `differs: it is ${now}`, known[was]?.[1] ?? `it was ${was}`];

/** Checks a known answer. Returns it if it still holds, otherwise the new answer. */
export type Hold = (asker: Asker, answer: string) => Promise<Answer>;

/** The possible answers of most questions. A person who writes a fact may omit the status. */
export const outcomes = {
  answers: 'accepted, or refused (with a status)',
  form: /^(accepted|refused( with \d{3})?)$/,
} as const;

export const once =
  (name: string, isAsked: (entry: OperationEntry) => boolean): Question['of'] =>
  (entry) =>
    isAsked(entry) ? [name] : [];

export const every = () => true;

export const among =
  (...ids: readonly CallableId[]) =>
  ({ id }: OperationEntry) =>
    ids.includes(id);

/** Sends a valid request with one change, and compares it with the unchanged request. */
export const changed =
  (change: (body: Body, asker: Asker) => unknown): Question['ask'] =>
  async (asker) => {
    return asker.sendInvalid(change(await asker.toChange(), asker));
  };

/** Whether two answers mean the same. A person may have written a fact without the status: `refused` instead of `refused with 404`. */
export function isSameAnswer(known: string, found: string): boolean {
  return known === found || (/^(refused|required)$/.test(known) && found.startsWith(known));
}
