import type { LearnedFact } from '../../client/index.ts';
import type { Effect, Operation } from '../../spec/index.ts';
import { sendValue } from '../experiments/allowed-values.ts';
import { cameOut, subjectOf, withControl } from '../experiments/experiment.ts';
import { experiments, type OperationEntry } from '../experiments/index.ts';
import { sendOfLength } from '../experiments/text-limit.ts';
import type { Finding } from '../facts/fact.ts';
import { Samples } from '../inference/samples.ts';
import { paging } from './paging.ts';
import type { Probe } from './probe.ts';
import { languages, reportCodes } from './report-options.ts';

/** Facts that need few requests are found again with the survey's experiment. */
const again: Probe = (runner, entry, { question }) => {
  const experiment = experiments(new Samples()).find(({ questions }) => questions(entry).includes(question));
  if (!experiment) throw new Error(`no experiment decides ${question} of ${entry.id}`);
  return experiment.run(runner, entry, question);
};

/** How much longer a list may lag than a survey saw it, in ms: three looks don't show the longest lag. */
const MORE_LAG_MS = 500;

const visible: Probe = async (runner, entry, fact) => {
  const found = await again(runner, entry, fact);
  const [before, now] = [fact.answer, found.answer].map((answer) => Number(/^within (\d+) ms$/.exec(answer)?.[1] ?? 0));
  return (now ?? 0) <= 2 * (before ?? 0) + MORE_LAG_MS ? { ...found, answer: fact.answer } : found;
};

/** Sends the first accepted value, and the first refused one. */
const allowedValues: Probe = async (runner, { id }, { question, answer }) => {
  await withControl(runner, id);
  const [, accepted = '', refused = ''] =
    /^(?:all that were tried: |none that was tried)?(.*?)(?:; not (.*))?$/.exec(answer) ?? [];
  let last: Finding | undefined;
  for (const [list, isRight] of [
    [accepted, (found: string) => found === 'accepted'],
    [refused, (found: string) => found.startsWith('refused')],
  ] as const) {
    const [value] = JSON.parse(`[${list}]`) as (string | number)[];
    if (value === undefined) continue;
    last = cameOut(runner, id, await sendValue(runner, id, subjectOf(question), value));
    if (!isRight(last.answer)) return { ...last, answer: `${JSON.stringify(value)} is ${last.answer}` };
  }
  return { answer, seen: last?.seen ?? [] };
};

/** Sends the longest accepted text, and one that is longer by one character. */
const textLimit: Probe = async (runner, { id }, { question, answer }) => {
  await withControl(runner, id);
  const [, limit = '', otherwise] = /^(?:none up to )?(\d+) characters(?:, else (\d+))?$/.exec(answer) ?? [];
  const send = async (length: number) =>
    cameOut(runner, id, await sendOfLength(runner, id, subjectOf(question), length));
  const longest = await send(Number(limit));
  if (longest.answer !== 'accepted' || otherwise === undefined)
    return { ...longest, answer: longest.answer === 'accepted' ? answer : `${limit} characters ${longest.answer}` };
  const longer = await send(Number(limit) + 1);
  const isHeld = longer.answer === `refused with ${otherwise}`;
  return { answer: isHeld ? answer : `${Number(limit) + 1} characters ${longer.answer}`, seen: longer.seen };
};

/** The probes by question; the first match counts. Facts without a probe are not checked. */
const probes: readonly (readonly [questions: RegExp, probe: Probe])[] = [
  [/^(repeat|unknown-(user|story|item|code|language)|default-fallback|includes-effect|token-user)$/, again],
  [/^(missing|wrong)-header:/, again],
  [/^text-limit:/, textLimit],
  [/^allowed-values:/, allowedValues],
  [/^paging$/, paging],
  [/^block-visible$/, visible],
  [/^languages$/, languages],
  [/^report-codes$/, reportCodes],
];

/** The effect of checking a fact again: entries are made to read them in a list, though reading it only reads. */
export function effectOf({ question }: LearnedFact, entry: Operation): Effect {
  return question === 'paging' || question === 'block-visible' ? 'reversible' : entry.effect;
}

/**
 * The probe for a fact; `undefined` if there is none. `isSpared`: a valid request would have a permanent effect, so only
 * refusals are probed.
 */
export function probeOf(fact: LearnedFact, entry: OperationEntry, isSpared: boolean): Probe | undefined {
  const probe = probes.find(([questions]) => questions.test(fact.question))?.[1];
  const isAsked = experiments(new Samples()).some(({ questions }) => questions(entry).includes(fact.question));
  if (!probe || !isAsked) return undefined;
  const leavesNothing = /^(refused|tied)/.test(fact.answer) && fact.question !== 'repeat';
  return !isSpared || leavesNothing ? probe : undefined;
}
