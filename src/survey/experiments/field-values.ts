import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { Body, Question } from '../asking/question.ts';
import { type Finding, Undecided } from '../facts/fact.ts';
import { requestFields } from './bodies.ts';
import type { Check, Experiment } from './experiment.ts';

type Value = string | number;

interface Tried {
  readonly operations: readonly CallableId[];
  readonly values: readonly Value[];
  readonly put: (body: Body, value: Value) => Body;
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
    put: (body, type) => ({ ...body, items: ((body.items ?? []) as object[]).map((item) => ({ ...item, type })) }),
  },
};

async function withValue(question: Question, value: Value): Promise<Body> {
  return (fields[question.subject] as Tried).put(await question.valid(), value);
}

/** Sends the first accepted value, and the first refused one. */
const checkValues: Check = async (question, answer) => {
  await question.withControl();
  const [, ...lists] = /^(?:all that were tried: |none that was tried)?(.*?)(?:; not (.*))?$/.exec(answer) ?? [];
  let seen: Finding['seen'] = [];
  for (const [index, list = ''] of lists.entries()) {
    const [value] = JSON.parse(`[${list}]`) as Value[];
    if (value === undefined) continue;
    const found = await question.sendInvalid(await withValue(question, value));
    if (!found.answer.startsWith(index === 0 ? 'accepted' : 'refused'))
      return { ...found, answer: `${JSON.stringify(value)} is ${found.answer}` };
    seen = found.seen;
  }
  return { answer, seen };
};

export const allowedValues: Experiment = {
  questions: ({ id }) =>
    Object.keys(fields)
      .filter((field) => fields[field]?.operations.includes(id))
      .map((field) => `allowed-values:${field}`),
  run: async (question) => {
    const { values } = fields[question.subject] as Tried;
    await question.withControl();
    const seen: Exchange[] = [];
    const found: Record<'accepted' | 'refused', Value[]> = { accepted: [], refused: [] };
    for (const value of values) {
      const exchange = await question.send(await withValue(question, value));
      seen.push(exchange);
      found[question.clearly(exchange, JSON.stringify(value)).kind].push(value);
    }
    return { answer: words(found.accepted, found.refused), seen };
  },
  check: checkValues,
};

function words(accepted: readonly Value[], refused: readonly Value[]): string {
  const list = (values: readonly Value[]) => values.map((value) => JSON.stringify(value)).join(', ');
  if (refused.length === 0) return `all that were tried: ${list(accepted)}`;
  return `${accepted.length > 0 ? list(accepted) : 'none that was tried'}; not ${list(refused)}`;
}

/** No real message is longer; the size of a whole body is another question. */
const CAP = 10_000;

async function ofLength(question: Question, length: number): Promise<Body> {
  const valid = await question.valid();
  const text = String(valid[question.subject]);
  return { ...valid, [question.subject]: text.padEnd(length, 'a').slice(0, length) };
}

/** Sends the longest accepted text, and one that is longer by one character. */
const checkLimit: Check = async (question, answer) => {
  await question.withControl();
  const [, limit = '', otherwise] = /^(?:none up to )?(\d+) characters(?:, else (\d+))?$/.exec(answer) ?? [];
  let [length, expected] = [Number(limit), 'accepted'];
  for (;;) {
    const { answer: now, seen } = await question.sendInvalid(await ofLength(question, length));
    if (now !== expected) return { answer: `${length} characters ${now}`, seen };
    if (otherwise === undefined || expected !== 'accepted') return { answer, seen };
    [length, expected] = [length + 1, `refused with ${otherwise}`];
  }
};

export const textLimit: Experiment = {
  questions: (entry) =>
    requestFields(entry)
      .filter(({ isFreeText }) => isFreeText)
      .map(({ name }) => `text-limit:${name}`),
  run: async (question) => {
    await question.withControl();
    const seen: Exchange[] = [];
    let status = 0;
    const isAccepted = async (length: number) => {
      const exchange = await question.send(await ofLength(question, length));
      const outcome = question.clearly(exchange, `${length} characters`);
      if (outcome.kind === 'refused') status = outcome.status;
      seen.push(exchange);
      return outcome.kind === 'accepted';
    };
    const start = String((await question.valid())[question.subject]).length;
    if (!(await isAccepted(start))) throw new Undecided(`${start} characters were refused with ${status}`, seen);
    const limit = await largestAccepted(start, CAP, isAccepted);
    const answer = limit === undefined ? `none up to ${CAP} characters` : `${limit} characters, else ${status}`;
    return { answer, seen };
  },
  check: checkLimit,
};

/**
 * The largest accepted length from `low`, which is accepted, to `cap`; `undefined` if `cap` is accepted. Needs about
 * as many requests as the cap has binary digits.
 */
export async function largestAccepted(low: number, cap: number, isAccepted: (length: number) => Promise<boolean>) {
  if (await isAccepted(cap)) return undefined;
  let [accepted, refused] = [low, cap];
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1;
    if (await isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
