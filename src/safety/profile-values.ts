import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import type { CallingSession } from '../call/index.ts';
import type { Environment } from '../environment/index.ts';
import { type Exchange, mentions, recordsIn } from '../http/index.ts';
import { type ProfileField, profileFields, shownNames } from '../questions/index.ts';
import { MASK } from '../redaction/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';
import { type Shown, untilForgotten } from './shown-change.ts';

/** Whether an environment lets a run restore a profile: it names the request that reads profiles, and allows reversible changes. */
export function canRestore({ allowedEffects, readProfile }: Environment): boolean {
  return allowedEffects.has('reversible') && readProfile !== undefined;
}

/** Says that runs may overwrite a profile for good; `undefined` if they may not, if the profile can be read, or if its user is disposable. */
export function unrestorableText({
  allowedEffects,
  readProfile,
  provisionUrl,
  caller,
}: Environment): string | undefined {
  if (!allowedEffects.has('overwriting') || readProfile || provisionUrl) return undefined;
  return `the profile of ${caller.userId} can’t be restored: FRIEND_PROFILE_REQUEST is not set`;
}

/** Whether Sextant generated a text, in this run or in another. */
export function isMadeBySuite(text: string): boolean {
  return /sextant(-| ?([0-9a-z]{4}|[0-9a-z]{6})\b)/i.test(text);
}

export type ProfileValues = Readonly<Partial<Record<ProfileField, string | number>>>;

export type Profile = ProfileValues & { readonly includes: string };

/** The field that a name in `includes` refers to. assumed: `avartarUrl`, which isn't a field name, means `url`. */
const fieldOf = (name: string) => (name === 'avartarUrl' ? 'url' : name);

export function overwrittenFields(update: Profile): ProfileField[] {
  const named = update.includes.split(';').map(fieldOf);
  return profileFields.filter((field) => field in update || named.includes(field));
}

export function emptyFields(profile: Profile): ProfileField[] {
  return profileFields.filter((field) => profile[field] === '');
}

export function without(profile: Profile, fields: readonly string[]): Profile {
  const left = Object.entries(profile).filter(([name]) => !fields.includes(name));
  const includes = profile.includes.split(';').filter((name) => !fields.includes(fieldOf(name)));
  return { ...Object.fromEntries(left), includes: includes.join(';') };
}

/**
 * The old values of `fields` in a response of undocumented shape. They come from the only object that has all of the fields, with the right types.
 * That object must be the user's: it contains the user's id, or no other object has any of the fields.
 */
export function oldValues(
  response: unknown,
  userId: string,
  fields: readonly ProfileField[],
  { facts }: Pick<ServiceUnderTest, 'facts'>,
): ProfileValues | undefined {
  const { names } = shownNames(facts);
  const has = (object: object) => (field: ProfileField) => keyIn(object, names[field], field) !== undefined;
  const holders = [...recordsIn(response)].filter((object) => fields.some(has(object)));
  const complete = holders.filter((object) => fields.every(has(object)));
  const own = complete.filter((object) => isOf(object, userId));
  const [found] = own.length > 0 ? own : complete;
  if (!found || own.length > 1 || (own.length === 0 && holders.length > 1)) return undefined;
  return Object.fromEntries(fields.map((field) => [field, found[keyIn(found, names[field], field) ?? field]]));
}

/**
 * Fields that a response shows under no known name, but may show under another one, because a value has their type. Empty if a fact gives
 * the names.
 */
export function unnamedFields(
  response: unknown,
  userId: string,
  fields: readonly ProfileField[],
  { facts }: Pick<ServiceUnderTest, 'facts'>,
): ProfileField[] {
  const { names, isKnown } = shownNames(facts);
  const records = [...recordsIn(response)];
  const own = records.filter((each) => isOf(each, userId));
  const usual = Object.values(names).flat();
  const others = (own.length > 0 ? own : records).flatMap((each) =>
    Object.entries(each).flatMap(([name, value]) => (usual.includes(name) || mentions(value, userId) ? [] : [value])),
  );
  const isHidden = (field: ProfileField) =>
    !records.some((each) => names[field].some((name) => Object.hasOwn(each, name))) &&
    others.some((value) => hasType(value, field));
  return isKnown ? [] : fields.filter(isHidden);
}

function isOf(record: Readonly<Record<string, unknown>>, userId: string): boolean {
  return Object.values(record).some((value) => typeof value !== 'object' && String(value) === userId);
}

function keyIn(record: object, names: readonly string[], field: ProfileField): string | undefined {
  const name = names.find((each) => Object.hasOwn(record, each));
  return name !== undefined && hasType((record as Record<string, unknown>)[name], field) ? name : undefined;
}

function hasType(value: unknown, field: ProfileField): boolean {
  return field === 'gender' ? Number.isInteger(value) : typeof value === 'string';
}

/** Whether the suite generated one of these values. If so, the profile comes from another run and need not be restored. */
export function isGeneratedProfile(values: ProfileValues): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && isMadeBySuite(value));
}

/**
 * Reads a profile after its old values were restored. `isShown` is true if the profile still shows values that the suite generated.
 * `undefined` if the profile can't be read.
 */
export function readRestored(
  session: CallingSession,
  target: ServiceUnderTest,
  old: Profile,
): Promise<Shown | undefined> {
  // Some services ignore an empty text in an update, and keep the current value, so empty texts aren't compared.
  const fields = profileFields.filter((field) => field in old && old[field] !== '');
  return untilForgotten(session, target, async () => {
    const { shown: list } = await readProfile(session, target);
    const values = list && shownProfile(list, session.caller.userId, fields, target);
    return list && values && { list, isShown: isGeneratedProfile(values) };
  });
}

/** Reads the profile of the session's user. `shown` is present if the read succeeded. */
export async function readProfile(
  session: CallingSession,
  { readProfile: reading, successWhen }: ServiceUnderTest,
): Promise<{ readonly asked?: Exchange; readonly shown?: Exchange }> {
  if (!reading) return {};
  const { userId } = session.caller;
  const asked = await session.exchange(reading, { userId }, new Map(), 'settled');
  return outcomeOf(asked, successWhen).isAccepted ? { asked, shown: asked } : { asked };
}

export function shownProfile(
  exchange: Exchange,
  userId: string,
  fields: readonly ProfileField[],
  target: Pick<ServiceUnderTest, 'facts'>,
): ProfileValues | undefined {
  const json = exchange.response?.body.json;
  const values = json?.ok ? oldValues(json.value, userId, fields, target) : undefined;
  // A masked value can't be restored.
  const isMasked = exchange.echoedSecret && Object.values(values ?? {}).some((value) => `${value}`.includes(MASK));
  return isMasked ? undefined : values;
}

export function includesOf(fields: readonly string[]): string {
  return PROFILE_INCLUDES.filter((name) => fields.includes(fieldOf(name))).join(';');
}
