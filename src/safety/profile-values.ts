import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import type { CallingSession } from '../call/index.ts';
import type { Environment } from '../environment/index.ts';
import { type Exchange, mentions, recordsIn } from '../http/index.ts';
import { type ProfileField, profileFields, shownNames } from '../questions/index.ts';
import { MASK } from '../redaction/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';
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

export type ProfileValues = Readonly<Partial<Record<ProfileField, string | number>>>;

export type Profile = ProfileValues & { readonly includes: string };

/** The field for a name in `includes`. assumed: `avartarUrl`, which isn't a field name, means `url`. */
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
 * The old values of `fields` in a response of undocumented shape: those of the only object that has them all, each
 * of the right type. It must be the user's: contain the user's id, or be the only object with any such field.
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

/** Fields that a response shows under none of the documented names, and so perhaps under others, which no fact tells. */
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

/** Whether the suite generated these values: then they come from another run and need not be restored. */
export function isGeneratedProfile(values: ProfileValues): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && isMadeBySuite(value));
}

/** Whether a profile that was put back shows values of the suite all the same; `undefined` where it can't be read. */
export function readRestored(
  session: CallingSession,
  target: ServiceUnderTest,
  old: Profile,
): Promise<Shown | undefined> {
  // To some services an empty text means to leave what is there.
  const fields = profileFields.filter((field) => field in old && old[field] !== '');
  return untilForgotten(session, target, async () => {
    const { shown: list } = await readProfile(session, target);
    const values = list && shownProfile(list, session.caller.userId, fields, target);
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
