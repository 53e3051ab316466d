/** The fields of a profile that a change may overwrite (specification, part 2), with their types. */
const types = { name: 'string', status: 'string', url: 'string', gender: 'number' } as const;

export type ProfileField = keyof typeof types;
export type ProfileValues = Partial<Record<ProfileField, string | number>>;

const allFields = Object.keys(types) as ProfileField[];

/** The field for a name in `includes`. assumed: `avartarUrl`, which isn't a field name, means `url`. */
const fieldOf: Readonly<Record<string, ProfileField>> = {
  name: 'name',
  status: 'status',
  avartarUrl: 'url',
  gender: 'gender',
};

/** The update of a profile, its body as documented. */
export interface Profile extends Partial<Readonly<Record<'name' | 'status' | 'url', string>>> {
  readonly includes: string;
  readonly gender?: number;
}

/** The fields that a profile update may overwrite: those in it, and those in its `includes`. */
export function overwrittenFields(update: Profile): ProfileField[] {
  const named = update.includes.split(';').map((name) => fieldOf[name]);
  return allFields.filter((field) => field in update || named.includes(field));
}

/** The fields of a profile that are empty texts. */
export function emptyFields(profile: Profile): ProfileField[] {
  return allFields.filter((field) => profile[field] === '');
}

/** A profile without some of its fields. */
export function without(profile: Profile, fields: readonly ProfileField[]): Profile {
  const isLeft = ([name]: readonly [string, unknown]) => !fields.some((field) => field === name);
  const includes = profile.includes.split(';').filter((name) => !fields.some((field) => field === fieldOf[name]));
  return { ...(Object.fromEntries(Object.entries(profile).filter(isLeft)) as Profile), includes: includes.join(';') };
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
  const holders = objectsOf(response).filter((object) => fields.some((field) => isOf(object, field)));
  const complete = holders.filter((object) => fields.every((field) => isOf(object, field)));
  const own = complete.filter((object) => Object.values(object).some((value) => String(value) === userId));
  const [found] = own.length > 0 ? own : complete;
  if (!found || own.length > 1 || (own.length === 0 && holders.length > 1)) return undefined;
  return Object.fromEntries(fields.map((field) => [field, found[field] as string | number]));
}

/** Whether the suite generated these values (by `isOwn`): then they come from another run and need not be restored. */
export function isGeneratedProfile(values: ProfileValues, isOwn: (text: string) => boolean): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && isOwn(value));
}

function isOf(object: Record<string, unknown>, field: ProfileField): boolean {
  if (!Object.hasOwn(object, field)) return false;
  const value = object[field];
  return typeof value === types[field] && (typeof value !== 'number' || Number.isInteger(value));
}

/** Every object in a JSON value; without recursion, because a response may be 100,000 levels deep. */
function objectsOf(root: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) found.push(value as Record<string, unknown>);
    for (const child of Object.values(value)) pending.push(child);
  }
  return found;
}
