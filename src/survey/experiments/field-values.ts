import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { Undecided } from '../facts/fact.ts';
import { requestFields } from './bodies.ts';
import { type Check, cameOut, type Experiment, type Finding, subjectOf, withControl } from './experiment.ts';

type Body = Record<string, unknown> & { readonly items?: readonly object[] };

interface Tried {
  readonly operations: readonly CallableId[];
  readonly values: readonly (string | number)[];
  readonly put: (body: Body, value: string | number) => Body;
}

const codes = [-1, 0, 1, 2, 3, 9, 100];
const profileOperations = ['updateProfile', 'getFriendProfile'] as const;

/** The fields whose values the specification leaves open (part 2). */
const fields: Readonly<Record<string, Tried>> = {
  gender: { operations: profileOperations, values: codes, put: (body, gender) => ({ ...body, gender }) },
  status: {
    operations: profileOperations,
    values: ['', 'online', 'away', 'sextant-invented'],
    put: (body, status) => ({ ...body, status }),
  },
  'items.type': {
    operations: ['saveAvatar'],
    values: codes,
    put: (body, type) => ({ ...body, items: (body.items ?? []).map((item) => ({ ...item, type })) }),
  },
};

/** Sends the first accepted value, and the first refused one. */
const checkValues: Check = async (runner, { id }, { question, answer }) => {
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

export const allowedValues: Experiment = {
  questions: ({ id }) =>
    Object.keys(fields)
      .filter((field) => fields[field]?.operations.includes(id))
      .map((field) => `allowed-values:${field}`),
  run: async (runner, { id }, question) => {
    const { values } = fields[subjectOf(question)] as Tried;
    await withControl(runner, id);
    const seen: Exchange[] = [];
    const [accepted, refused]: (string | number)[][] = [[], []];
    for (const value of values) {
      const exchange = await sendValue(runner, id, subjectOf(question), value);
      const outcome = runner.outcome(id, exchange);
      seen.push(exchange);
      if (outcome.kind === 'unclear') throw new Undecided(`${JSON.stringify(value)}: ${outcome.why}`, [exchange]);
      (outcome.kind === 'accepted' ? accepted : refused)?.push(value);
    }
    return { answer: words(accepted ?? [], refused ?? []), seen };
  },
  check: checkValues,
};

/** A valid request with another value for one of these fields. */
async function sendValue(
  runner: ExperimentRunner,
  id: CallableId,
  field: string,
  value: string | number,
): Promise<Exchange> {
  const { put } = fields[field] as Tried;
  return runner.send(id, put((await runner.valid(id)) as Body, value));
}

function words(accepted: readonly unknown[], refused: readonly unknown[]): string {
  const list = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');
  if (refused.length === 0) return `all that were tried: ${list(accepted)}`;
  return `${accepted.length > 0 ? list(accepted) : 'none that was tried'}; not ${list(refused)}`;
}

/** No real message is longer; the size of a whole body is another question. */
const CAP = 10_000;

/** Sends the longest accepted text, and one that is longer by one character. */
const checkLimit: Check = async (runner, { id }, { question, answer }) => {
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

export const textLimit: Experiment = {
  questions: (entry) =>
    requestFields(entry)
      .filter(({ isFreeText }) => isFreeText)
      .map(({ name }) => `text-limit:${name}`),
  run: async (runner, { id }, question) => {
    const field = subjectOf(question);
    await withControl(runner, id);
    const seen: Exchange[] = [];
    let status = 0;
    const start = String(((await runner.valid(id)) as Record<string, unknown>)[field]);
    const isAccepted = async (length: number) => {
      const exchange = await sendOfLength(runner, id, field, length);
      const outcome = runner.outcome(id, exchange);
      if (outcome.kind === 'unclear') throw new Undecided(`${length} characters: ${outcome.why}`, [exchange]);
      if (outcome.kind === 'refused') status = outcome.status;
      seen.push(exchange);
      return outcome.kind === 'accepted';
    };
    if (!(await isAccepted(start.length)))
      throw new Undecided(`${start.length} characters were refused with ${status}`, seen);
    const limit = await largestAccepted(start.length, CAP, isAccepted);
    const answer = limit === undefined ? `none up to ${CAP} characters` : `${limit} characters, else ${status}`;
    return { answer, seen };
  },
  check: checkLimit,
};

async function sendOfLength(
  runner: ExperimentRunner,
  id: CallableId,
  field: string,
  length: number,
): Promise<Exchange> {
  const valid = (await runner.valid(id)) as Readonly<Record<string, unknown>>;
  return runner.send(id, { ...valid, [field]: String(valid[field]).padEnd(length, 'a').slice(0, length) });
}

/**
 * The largest accepted length from `low`, which is accepted, to `cap`; `undefined` if `cap` is accepted. Needs about
 * as many requests as the cap has binary digits.
 */
export async function largestAccepted(
  low: number,
  cap: number,
  isAccepted: (length: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await isAccepted(cap)) return undefined;
  let [accepted, refused] = [low, cap];
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1;
    if (await isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
