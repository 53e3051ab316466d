import type { Exchange } from '../http/index.ts';
import type { CallableId } from '../service/index.ts';
import type { Answer, Asker, Body } from './asker/asker.ts';
import type { Hold, Question } from './question.ts';

type Value = string | number;

interface Tried {
  readonly operations: readonly CallableId[];
  readonly values: readonly Value[];
  readonly put: (body: Body, value: Value) => Body;
}

const codes = [-1, 0, 1, 2, 3, 9, 100];
const profileOperations = ['updateProfile', 'getFriendProfile'] as const;

/** The fields whose allowed values the specification doesn't state (part 2). */
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

async function withValue(asker: Asker, value: Value): Promise<Body> {
  return (fields[asker.subject] as Tried).put(await asker.toChange(), value);
}

/** Checks an answer with two values only: the first one that it lists as accepted, and the first one that it lists as refused. */
const hold: Hold = async (asker, answer) => {
  await asker.withControl();
  const [, ...lists] = /^(?:all that were tried: |none that was tried)?(.*?)(?:; not (.*))?$/.exec(answer) ?? [];
  let seen: Answer['seen'] = [];
  for (const [index, list = ''] of lists.entries()) {
    const [value] = JSON.parse(`[${list}]`) as Value[];
    if (value === undefined) continue;
    const found = await asker.sendInvalid(await withValue(asker, value));
    if (!found.answer.startsWith(index === 0 ? 'accepted' : 'refused'))
      return { ...found, answer: `${JSON.stringify(value)} is ${found.answer}` };
    seen = found.seen;
  }
  return { answer, seen };
};

const LIST = String.raw`(?:-?\d+|"[^"]*")(?:, (?:-?\d+|"[^"]*"))*`;

export const allowedValues: Question = {
  id: 'allowed-values',
  of: ({ id }) =>
    Object.entries(fields).flatMap(([field, { operations }]) =>
      operations.includes(id) ? [`allowed-values:${field}`] : [],
    ),
  openIn: 'part 2: allowed values of status, gender and avatar item type are not shown',
  answers: 'all that were tried, or those that are accepted and those that are not: `0, 1; not 9`',
  form: new RegExp(`^(all that were tried: ${LIST}|(none that was tried|${LIST}); not ${LIST})$`),
  broken: ({ subject, now }) => {
    const [, value, kind = now, status = ''] = /^(.+) is (accepted|refused)(?: with (\d{3}))?$/.exec(now) ?? [];
    const isRefused = kind === 'refused';
    return [
      `${isRefused ? 'refuses' : 'accepts'} ${subject} ${value}${status && ` with ${status}`}`,
      `it ${isRefused ? 'accepted' : 'refused'} it`,
    ];
  },
  experiment: 'a valid request, and the same with usual and unusual values',
  ask: async (asker) => {
    const { values } = fields[asker.subject] as Tried;
    await asker.withControl();
    const seen: Exchange[] = [];
    const found: Record<'accepted' | 'refused', Value[]> = { accepted: [], refused: [] };
    for (const value of values) {
      const exchange = await asker.send(await withValue(asker, value));
      seen.push(exchange);
      found[asker.clearly(exchange, JSON.stringify(value)).kind].push(value);
    }
    return { answer: words(found.accepted, found.refused), seen };
  },
  hold,
};

function words(accepted: readonly Value[], refused: readonly Value[]): string {
  const list = (values: readonly Value[]) => values.map((value) => JSON.stringify(value)).join(', ');
  if (refused.length === 0) return `all that were tried: ${list(accepted)}`;
  return `${accepted.length > 0 ? list(accepted) : 'none that was tried'}; not ${list(refused)}`;
}
