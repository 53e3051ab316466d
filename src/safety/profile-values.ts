import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import type { CallingSession } from '../call/index.ts';
import type { Environment } from '../environment/index.ts';
import { type Exchange, recordsIn } from '../http/index.ts';
import { MASK } from '../redaction/index.ts';
import { judge, type ServiceUnderTest } from '../verdict/index.ts';
import { type Shown, untilForgotten } from './shown-change.ts';

/** Whether an environment has what it takes to put a profile back: a request that reads it, and leave to change it for a while. */
export function canRestore({ allowedEffects, readProfile }: Environment): boolean {
  return allowedEffects.has('reversible') && readProfile !== undefined;
}

/** Says that runs may overwrite a profile for good; `undefined` where they may not, or it can be read. */
export function unrestorableText({
  allowedEffects,
  readProfile,
  provisionUrl,
  caller,
}: Environment): string | undefined {
  if (!allowedEffects.has('overwriting') || readProfile || provisionUrl) return undefined;
  return `the profile of ${caller.userId} can’t be restored: FRIEND_PROFILE_REQUEST is not set`;
}

/** Whether a text is data that Sextant generated, in this run or in another. */
export function isMadeBySuite(text: string): boolean {
  return /sextant(-| ?([0-9a-z]{4}|[0-9a-z]{6})\b)/i.test(text);
}

/** The fields of a profile that a change may overwrite (specification, part 2), with their types. */
const types = { name: 'string', status: 'string', url: 'string', gender: 'number' } as const;

export type ProfileField = keyof typeof types;
export type ProfileValues = Readonly<Partial<Record<ProfileField, string | number>>>;

export type Profile = ProfileValues & { readonly includes: string };

export const allFields = Object.keys(types) as ProfileField[];

/** The field for a name in `includes`. assumed: `avartarUrl`, which isn't a field name, means `url`. */
const fieldOf = (name: string) => (name === 'avartarUrl' ? 'url' : name);

export function overwrittenFields(update: Profile): ProfileField[] {
  const named = update.includes.split(';').map(fieldOf);
  return allFields.filter((field) => field in update || named.includes(field));
}

export function emptyFields(profile: Profile): ProfileField[] {
  return allFields.filter((field) => profile[field] === '');
}

export function without(profile: Profile, fields: readonly string[]): Profile {
  const left = Object.entries(profile).filter(([name]) => !fields.includes(name));
  const includes = profile.includes.split(';').filter((name) => !fields.includes(fieldOf(name)));
  return { ...Object.fromEntries(left), includes: includes.join(';') };
}

/**
 * The old values of `fields` in a response of undocumented shape: those of the only object that has them all, each
 * of the right type. It must be the user's: contain the user's id, or be the only object with any such field.
 */
export function oldValues(
  response: unknown,
  userId: string,
  fields: readonly ProfileField[],
): ProfileValues | undefined {
  const holders = [...recordsIn(response)].filter((object) =>
    fields.some((field) => keyIn(object, field) !== undefined),
  );
  const complete = holders.filter((object) => fields.every((field) => keyIn(object, field) !== undefined));
  const own = complete.filter((object) =>
    Object.values(object).some((value) => typeof value !== 'object' && String(value) === userId),
  );
  const [found] = own.length > 0 ? own : complete;
  if (!found || own.length > 1 || (own.length === 0 && holders.length > 1)) return undefined;
  return valuesOf(found, fields);
}

export function valuesOf(record: Readonly<Record<string, unknown>>, fields: readonly ProfileField[]): ProfileValues {
  return Object.fromEntries(fields.map((field) => [field, record[keyIn(record, field) ?? field]])) as ProfileValues;
}

/** Further names that services have for the fields of an update; in lower case, letters alone. */
const otherNames: Readonly<Record<ProfileField, readonly string[]>> = {
  name: ['displayname', 'username'],
  status: ['statustext', 'statusmessage'],
  url: ['avatarurl', 'avartarurl', 'imageurl', 'pictureurl', 'photourl'],
  gender: ['gendercode'],
};

/** The key of a field in a record: of its name, else of another name for it, else the only one whose value is like it, an address. */
function keyIn(record: Readonly<Record<string, unknown>>, field: ProfileField): string | undefined {
  if (Object.hasOwn(record, field)) return isOf(record[field], field) ? field : undefined;
  const keys = Object.keys(record).filter((key) => isOf(record[key], field));
  const named = keys.filter((key) => otherNames[field].includes(key.toLowerCase().replace(/[^a-z]/g, '')));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const alike = field === 'url' ? keys.filter((key) => /^https?:\/\//.test(String(record[key]))) : [];
  return alike.length === 1 ? alike[0] : undefined;
}

/** Whether the suite generated these values: then they come from another run and need not be restored. */
export function isGeneratedProfile(values: ProfileValues): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && isMadeBySuite(value));
}

function isOf(value: unknown, field: ProfileField): boolean {
  return typeof value === types[field] && (typeof value !== 'number' || Number.isInteger(value));
}

/** Whether a profile that was put back shows values of the suite all the same; `undefined` where it can't be read. */
export function readRestored(
  session: CallingSession,
  target: ServiceUnderTest,
  old: Profile,
): Promise<Shown | undefined> {
  // To some services an empty text means to leave what is there.
  const fields = allFields.filter((field) => field in old && old[field] !== '');
  return untilForgotten(session, target, 'updateProfile', async () => {
    const { shown: list } = await readProfile(session, target);
    const values = list && shownProfile(list, session.caller.userId, fields);
    return list && values && { list, isShown: isGeneratedProfile(values) };
  });
}

/** The read of the profile of the session's user; `shown` where it succeeded. */
export async function readProfile(
  session: CallingSession,
  { readProfile: reading, successWhen }: ServiceUnderTest,
): Promise<{ readonly asked?: Exchange; readonly shown?: Exchange }> {
  if (!reading) return {};
  const { userId } = session.caller;
  const asked = await session.exchange(reading, { userId }, new Map(), 'settled');
  return judge(asked, 'success', successWhen) ? { asked } : { asked, shown: asked };
}

export function shownProfile(
  exchange: Exchange,
  userId: string,
  fields: readonly ProfileField[],
): ProfileValues | undefined {
  const json = exchange.response?.body.json;
  const values = json?.ok ? oldValues(json.value, userId, fields) : undefined;
  // A masked value can't be restored.
  const isMasked = exchange.echoedSecret && Object.values(values ?? {}).some((value) => `${value}`.includes(MASK));
  return isMasked ? undefined : values;
}

export function valueIn(exchange: Exchange, userId: string, field: ProfileField): string | number | undefined {
  return shownProfile(exchange, userId, [field])?.[field];
}

export function includesOf(fields: readonly string[]): string {
  return PROFILE_INCLUDES.filter((name) => fields.includes(fieldOf(name))).join(';');
}
