/** Maximum number of distinct texts to store per place; with more, it can't be an enum. */
const DISTINCT_CAP = 30;
/** An object with more names than this, none always present, is a map whose names are data. */
const MAP_AFTER = 30;

/** The values observed at one place of many responses. It can be stored as JSON and extended later. */
export interface ValueProfile {
  /** Number of values. */
  count: number;
  /** Number of values by JSON type. */
  types: Record<string, number>;
  /** Texts with their counts; absent once there are too many. */
  texts?: Record<string, number>;
  /** The formats that match every text so far. */
  formats?: string[];
  properties?: Record<string, ValueProfile>;
  /** Set if the object's names are data. */
  values?: ValueProfile;
  items?: ValueProfile;
}

export function emptyProfile(): ValueProfile {
  return { count: 0, types: {} };
}

/** Whether the survey itself sent a text: then its format and value say nothing about the service. */
export type IsEcho = (text: string) => boolean;

/** `profile` with one more value. Responses are cut at 40 levels: no schema goes deeper. */
export function addToProfile(profile: ValueProfile, value: unknown, isEcho: IsEcho = () => false, depth = 0): void {
  profile.count++;
  const type = typeOf(value);
  profile.types[type] = (profile.types[type] ?? 0) + 1;
  if (depth > 40) return;
  if (typeof value === 'string') observeText(profile, value, isEcho(value));
  if (Array.isArray(value)) {
    profile.items ??= emptyProfile();
    for (const item of value) addToProfile(profile.items, item, isEcho, depth + 1);
  } else if (type === 'object') {
    observeObject(profile, value as Record<string, unknown>, isEcho, depth);
  }
}

function observeText(profile: ValueProfile, text: string, isEcho: boolean): void {
  const formats = isEcho ? [] : formatsOf(text);
  profile.formats = profile.formats ? profile.formats.filter((format) => formats.includes(format)) : formats;
  if (profile.types.string === 1) profile.texts = {};
  if (isEcho) delete profile.texts;
  if (!profile.texts) return;
  if (Object.hasOwn(profile.texts, text)) profile.texts[text] = (profile.texts[text] ?? 0) + 1;
  else if (Object.keys(profile.texts).length < DISTINCT_CAP && text.length <= 100) {
    Object.defineProperty(profile.texts, text, { value: 1, enumerable: true, configurable: true, writable: true });
  } else delete profile.texts;
}

function observeObject(profile: ValueProfile, value: Record<string, unknown>, isEcho: IsEcho, depth: number): void {
  if (profile.values) {
    for (const child of Object.values(value)) addToProfile(profile.values, child, isEcho, depth + 1);
    return;
  }
  profile.properties ??= {};
  for (const [name, child] of Object.entries(value)) {
    const known = Object.hasOwn(profile.properties, name) ? profile.properties[name] : undefined;
    const property = known ?? emptyProfile();
    if (!known)
      Object.defineProperty(profile.properties, name, {
        value: property,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    addToProfile(property, child, isEcho, depth + 1);
  }
  const seen = Object.values(profile.properties);
  if (seen.length <= MAP_AFTER || seen.some(({ count }) => count === profile.types.object)) return;
  profile.values = seen.reduce(merged, emptyProfile());
  delete profile.properties;
}

function merged(a: ValueProfile, b: ValueProfile): ValueProfile {
  const types: Record<string, number> = { ...a.types };
  for (const [type, count] of Object.entries(b.types)) types[type] = (types[type] ?? 0) + count;
  const formats = a.formats && b.formats ? a.formats.filter((format) => b.formats?.includes(format)) : b.formats;
  const properties = { ...a.properties };
  for (const [name, property] of Object.entries(b.properties ?? {})) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    properties[name] = known ? merged(known, property) : property;
  }
  const items = a.items && b.items ? merged(a.items, b.items) : (a.items ?? b.items);
  return {
    count: a.count + b.count,
    types,
    ...(formats ? { formats } : {}),
    ...(a.properties || b.properties ? { properties } : {}),
    ...(items ? { items } : {}),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  uri: /^https?:\/\/[^\s/]+(\/\S*)?$/,
};

/** The JSON Schema formats that match a text, only those that hardly match by accident. */
function formatsOf(text: string): string[] {
  return Object.keys(formats).filter((name) => formats[name]?.test(text));
}
