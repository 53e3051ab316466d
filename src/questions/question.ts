import type { CallableId } from '../service/index.ts';
import type { Answer, Asker, Body, OperationEntry } from './asker/asker.ts';

/** Something that the specification leaves open about an operation, and the experiment that answers it. */
export interface Question {
  /** Its name in facts: `repeat`; of a family, what stands before the colon: `required-field`. */
  readonly id: string;
  /** Its names for an operation: none if it isn't asked there; several, with a subject each, for a family. */
  readonly of: (entry: OperationEntry) => readonly string[];
  /** The place in the specification, and what it leaves open. */
  readonly openIn: string;
  /** The possible answers, in words. */
  readonly answers: string;
  /** The form of an answer. */
  readonly form: RegExp;
  /** How an answer that no longer holds reads. */
  readonly broken: BrokenWords;
  /** The requests of the experiment, with its control, in words. */
  readonly experiment: string;
  /** The effect of its requests to other operations; absent: it sends none that change something. */
  readonly effect?: 'reversible';
  /** Runs may ask it, too: it takes few requests, none of which is irreversible, uses up an id or saves an avatar. */
  readonly askedByRuns?: true;
  /** @throws Undecided with what was tried. */
  readonly ask: (asker: Asker) => Promise<Answer>;
  /**
   * How a run checks whether an answer still holds: by asking again, or with fewer requests. Absent if no run checks
   * it, because responses are checked against their schemas, or because nobody would notice the change.
   */
  readonly hold?: 'again' | Hold;
}

/** An answer that was known, and the one that was found instead; `subject` is the part of the question's name behind a colon. */
export interface Broken {
  readonly subject: string;
  readonly was: string;
  readonly now: string;
}

/** How the operation behaves now, in words that continue its name, and how it did before: `no longer shows at /loves`, `it did`. */
export type BrokenWords = (broken: Broken) => readonly [now: string, before: string];

export const isLoose = (answer: string) => /^(accepted|optional|not tied)/.test(answer);
const statusIn = (answer: string) => / \d{3}$/.exec(answer)?.[0];

/** The words for a request that is no longer accepted, no longer refused, or refused with another status. */
export const requestWords =
  (request: (subject: string) => string): BrokenWords =>
  ({ subject, was, now }) => {
    const what = request(subject);
    const [before, after] = [was, now].map((answer) => statusIn(answer) && `with${statusIn(answer)}`);
    if (isLoose(was) && isLoose(now)) return [`takes ${what} otherwise: it is ${now}`, `it was ${was}`];
    if (isLoose(now)) return [`accepts ${what}`, ['it refused it', before].filter(Boolean).join(' ')];
    const refuses = ['refuses', what, after].filter(Boolean).join(' ');
    return isLoose(was) ? [refuses, 'it accepted it'] : [refuses, before ?? 'it refused it'];
  };

/** The words for an answer that is one of a few: what each means of the operation, now and before. */
export const meanings =
  (known: Readonly<Record<string, readonly [now: string, before: string]>>): BrokenWords =>
  ({ was, now }) => [known[now]?.[0] ?? `is otherwise: ${now}`, known[was]?.[1] ?? `it was ${was}`];

/** Returns the known answer, or the new one. */
export type Hold = (asker: Asker, answer: string) => Promise<Answer>;

/** An outcome, as most questions have it. A person may leave out the status. */
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

/** Sends a valid request that was changed; its control is the valid request. */
export const changed =
  (change: (body: Body, asker: Asker) => unknown): Question['ask'] =>
  async (asker) => {
    return asker.sendInvalid(change(await asker.toChange(), asker));
  };

/** Whether two answers say the same; a person may have left out the status of a refusal. */
export function isSameAnswer(known: string, found: string): boolean {
  return known === found || (/^(refused|required)$/.test(known) && found.startsWith(known));
}
