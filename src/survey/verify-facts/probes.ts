import { isDeepStrictEqual } from 'node:util';
import type { Exchange, LearnedFact } from '../../client/index.ts';
import type { Effect, Operation } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { sendValue } from '../experiments/allowed-values.ts';
import { cameOut, subjectOf, withControl } from '../experiments/experiment.ts';
import { experiments, type OperationEntry } from '../experiments/index.ts';
import { BlockList, type ListId } from '../experiments/paging/block-list.ts';
import { orderOf, readings } from '../experiments/paging/read-segments.ts';
import { codesIn } from '../experiments/report-options.ts';
import { sendOfLength } from '../experiments/text-limit.ts';
import { type Finding, Undecided } from '../facts/fact.ts';
import { Samples } from '../inference/samples.ts';

/**
 * Checks whether a fact still holds, with fewer requests than finding it took: returns the fact's answer, or
 * the new one.
 */
type Probe = (runner: ExperimentRunner, entry: OperationEntry, fact: LearnedFact) => Promise<Finding>;

/** A few languages are as informative as all of them. */
const MOST_LANGUAGES = 3;

/** Requests the first supported languages. */
const languages: Probe = async (runner, { id }, { answer }) => {
  const names = (answer.split(/ of \d/)[0] ?? '').split(', ').filter((name) => name !== 'none');
  let last: Finding | undefined;
  for (const language of names.slice(0, MOST_LANGUAGES)) {
    last = cameOut(runner, id, await runner.send(id, { language }));
    if (last.answer !== 'accepted') return { ...last, answer: `${language} is ${last.answer}` };
  }
  return { answer, seen: last?.seen ?? [] };
};

/** Reads the codes of the environment's language, or of the first languages if codes differ by language. */
const reportCodes: Probe = async (runner, { id }, { answer }) => {
  const lists = answer.split('; ').map((text) => /^(?:(.+): )?(.*)$/.exec(text) ?? []);
  let seen: Finding['seen'] = [];
  for (const [, language, codes] of lists.slice(0, MOST_LANGUAGES)) {
    const exchange = language ? await runner.send(id, { language }) : await withControl(runner, id);
    if (!exchange) continue;
    seen = [exchange];
    const found = codesIn(exchange);
    if (found !== codes) return { answer: `${language ? `${language}: ` : ''}${found || 'none'}`, seen };
  }
  return { answer, seen };
};

const ENTRIES = 3;
const PAIRS = ['0/1', '1/1', '1/2', '2/1', '0/2'];

/** Creates a few entries and reads pages of them, which must match the known meaning of the two numbers. */
const paging: Probe = async (runner, { id }, { answer }) => {
  await withControl(runner, id);
  const list = new BlockList(runner, id as ListId);
  await list.add(ENTRIES);
  const { n1, n2 } = await list.segmentsShowing(list.made);
  const wholeList = await list.read(n1, n2);
  const isMap = list.isMap(wholeList);
  const [, name, first, order] = /^(\S+), first index ([01]), .*?(oldest first|newest first)?$/.exec(answer) ?? [];
  // A map may show its entries by name; what is on a page is compared in the order that they were created in.
  const created = order === 'newest first' ? list.made.toReversed() : list.made;
  const shown = list.keysIn(wholeList);
  const whole = isMap && shown.every((key) => created.includes(key)) ? created : shown;
  const keysIn = (exchange: Exchange) =>
    isMap ? whole.filter((key) => list.keysIn(exchange).includes(key)) : list.keysIn(exchange);
  const reading = readings.find((each) => each.name === name && each.first === Number(first));
  if (order && orderOf(list.made, whole) !== order)
    return { answer: `${orderOf(list.made, whole) ?? 'no order'}, not ${order}`, seen: [wholeList] };
  for (const pair of PAIRS) {
    const [a = 0, b = 0] = pair.split('/').map(Number);
    const range = reading ? reading.window(a, b) : ([0, whole.length] as const);
    if (!range) continue;
    const exchange = await list.read(a, b);
    if (runner.outcome(id, exchange).kind !== 'accepted') continue;
    const [page, expected] = [keysIn(exchange), whole.slice(...range)];
    if (isDeepStrictEqual(page, expected)) continue;
    // Another user may have changed the list meanwhile.
    if (!isDeepStrictEqual(keysIn(await list.read(n1, n2)), whole))
      throw new Undecided('the list changed while it was read', [exchange]);
    return {
      answer: `unexpected entries at ${pair}: ${page.length} instead of ${expected.length}`,
      seen: [exchange],
    };
  }
  return { answer, seen: [wholeList] };
};

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
