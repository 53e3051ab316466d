import type { Facts } from '../facts/index.ts';
import { type Exchange, recordsIn } from '../http/index.ts';
import { readProfile } from '../service/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import { readUntil } from './profile-includes.ts';
import { among, once, type Question } from './question.ts';

/**
 * The documented names of an update's fields. The specification spells one field both `url` and `avartarUrl`, and services often correct
 * the latter to `avatarUrl`.
 */
const usualNames = { name: ['name'], status: ['status'], url: ['url', 'avartarUrl', 'avatarUrl'], gender: ['gender'] };

export type ProfileField = keyof typeof usualNames;
type ShownNames = Readonly<Record<ProfileField, readonly string[]>>;

export const profileFields = Object.keys(usualNames) as ProfileField[];

const QUESTION = 'profile-names';
const USUAL = 'the documented ones';
const NOT_SHOWN = 'not shown';

/**
 * The names under which a profile shows the fields of an update. If a fact states them, `isKnown` is true; otherwise they are the
 * documented names.
 */
export function shownNames(facts: Facts | undefined): { readonly names: ShownNames; readonly isKnown: boolean } {
  const { answer } = facts?.of(QUESTION, 'updateProfile') ?? {};
  const stated = (answer ?? USUAL).split(', ').flatMap((part) => {
    const [, field, name = ''] = /^(\w+) is (.+)$/.exec(part) ?? [];
    return field ? [[field, name === NOT_SHOWN ? [] : [name]]] : [];
  });
  return { names: { ...usualNames, ...Object.fromEntries(stated) }, isKnown: answer !== undefined };
}

/**
 * Writes a profile and reads it back. Returns the written values, the response, and the JSON object in the response that contains the
 * written name.
 */
async function written(asker: Asker) {
  const sent = (await asker.valid()) as Readonly<Record<string, unknown>>;
  await asker.control(sent);
  const seen = await readUntil(asker.requests, String(sent.name), 'the name was written with all fields included');
  const json = seen.response?.body.json;
  const record = [...recordsIn(json?.ok ? json.value : undefined)].find((each) =>
    Object.values(each).includes(sent.name),
  );
  if (!record) throw new Undecided('the profile that is read back shows the name within another text', [seen]);
  return { sent, seen, record };
}

const namesOf: Question['ask'] = async (asker) => {
  asker.requests.entry(readProfile.id);
  const rounds = [await written(asker), await written(asker)];
  const seen: readonly Exchange[] = rounds.map((round) => round.seen);
  const parts = profileFields.flatMap((field) => {
    const isIn = (name: string) => rounds.every(({ sent, record }) => record[name] === sent[field]);
    if (usualNames[field].some(isIn)) return [];
    const [name = NOT_SHOWN, ...others] = Object.keys(rounds[0]?.record ?? {}).filter(isIn);
    if (others.length > 0) throw new Undecided(`${field} may be ${[name, ...others].join(' or ')}`, seen);
    return [`${field} is ${name}`];
  });
  return { answer: parts.join(', ') || USUAL, seen };
};

const part = `(${profileFields.join('|')}) is (${NOT_SHOWN}|[^\\s,]+)`;

/** A scenario restores the values that it overwrites, so it must know where a profile shows them. */
export const profileNames: Question = {
  id: QUESTION,
  of: once(QUESTION, among('updateProfile')),
  openIn: 'part 2: fields of every response record are not shown',
  answers: `${USUAL}; or those with another name, e.g. name is displayName, gender is ${NOT_SHOWN}`,
  form: new RegExp(`^(${USUAL}|${part}(, ${part})*)$`),
  experiment: 'two updates with all fields included, each read back',
  broken: ({ was, now }) => [`no longer shows a profile’s fields under the same names: ${now}`, `it was ${was}`],
  ask: namesOf,
  hold: 'again',
};
