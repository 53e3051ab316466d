import { typeName } from '../../call/index.ts';
import { isRecord } from '../../http/index.ts';

/** Maximum number of different texts to store for one place in a response. If there are more, the schema has no enum at this place. */
const DISTINCT_CAP = 30;
/**
 * If the samples of an object had more names than this together, and no name was in all of them, the object is a map, whose names are data.
 */
const MAP_AFTER = 30;
/** Maximum depth of an inferred schema. Deeper parts of a response are ignored. */
const DEEPEST = 40;

/** The values seen at one place in many responses. */
export interface ValueProfile {
  count: number;
  types: Record<string, number>;
  texts?: Record<string, number>;
  /** The formats that every text so far has matched. */
  formats?: string[];
  properties?: Record<string, ValueProfile>;
  values?: ValueProfile;
  /** How many of the values came from a record that the survey had filled itself. Another record might lack these values. */
  filled?: number;
  items?: ValueProfile;
}

export function emptyProfile(): ValueProfile {
  return { count: 0, types: {} };
}

/** Recognizes values in a response that come from the survey itself. */
export interface OwnMarks {
  /** Whether a text was in the request. Its format and value then show nothing about the service. */
  sent(text: string): boolean;
  wrote(text: string): boolean;
  /** Whether a name is an id that the survey has sent. If a field has such a name, the name is data. */
  isId(name: string): boolean;
  /** Whether only requests have this field. A service may store the field and return it, so the schema demands neither the field nor a type. */
  isRequests(name: string): boolean;
}

/** Adds one observed value to `profile`. */
export function addToProfile(profile: ValueProfile, value: unknown, ownMarks: OwnMarks, depth = 0): void {
  profile.count++;
  const type = Number.isInteger(value) ? 'integer' : typeName(value);
  profile.types[type] = (profile.types[type] ?? 0) + 1;
  if (depth > DEEPEST) return;
  if (typeof value === 'string') observeText(profile, value, ownMarks.sent(value) || ownMarks.wrote(value));
  if (Array.isArray(value)) {
    profile.items ??= emptyProfile();
    for (const item of value) addToProfile(profile.items, item, inList(ownMarks), depth + 1);
  } else if (type === 'object') {
    observeObject(profile, value as Record<string, unknown>, ownMarks, depth);
  }
}

function observeText(profile: ValueProfile, text: string, isEcho: boolean): void {
  const formats = isEcho ? [] : Object.keys(knownFormats).filter((name) => knownFormats[name]?.test(text));
  profile.formats = profile.formats ? profile.formats.filter((format) => formats.includes(format)) : formats;
  if (profile.types.string === 1) profile.texts = {};
  if (isEcho) delete profile.texts;
  if (!profile.texts) return;
  if (Object.hasOwn(profile.texts, text)) profile.texts[text] = (profile.texts[text] ?? 0) + 1;
  else if (Object.keys(profile.texts).length < DISTINCT_CAP && text.length <= 100) {
    Object.defineProperty(profile.texts, text, { value: 1, enumerable: true, configurable: true, writable: true });
  } else delete profile.texts;
}

/**
 * The `OwnMarks` for the entries of a list. The survey may have added an entry, but it didn't fill the entry's fields, so its own texts
 * count there as sent, not as written.
 */
function inList(own: OwnMarks): OwnMarks {
  return { ...own, sent: (text) => own.sent(text) || own.wrote(text), wrote: () => false };
}

function observeObject(profile: ValueProfile, value: Record<string, unknown>, ownMarks: OwnMarks, depth: number): void {
  const children = Object.entries(value);
  if (!profile.values) profile.properties ??= {};
  const isFilled = children.some(([, child]) => typeof child === 'string' && ownMarks.wrote(child));
  for (const [name, child] of children) {
    if (!profile.properties || ownMarks.isId(name)) {
      profile.values ??= emptyProfile();
      addToProfile(profile.values, child, inList(ownMarks), depth + 1);
      continue;
    }
    const property = propertyOf(profile.properties, name);
    const isRequests = ownMarks.isRequests(name);
    addToProfile(property, isRequests ? null : child, ownMarks, depth + 1);
    const isSent = typeof child === 'string' && ownMarks.sent(child);
    if (isRequests || (child !== null && !isSent && (isFilled || holds(child, ownMarks.wrote))))
      property.filled = (property.filled ?? 0) + 1;
  }
  const seen = Object.values(profile.properties ?? {});
  if (seen.length <= MAP_AFTER || seen.some(({ count }) => count === profile.types.object)) return;
  profile.values = seen.reduce(merged, profile.values ?? emptyProfile());
  delete profile.properties;
}

function propertyOf(properties: Record<string, ValueProfile>, name: string): ValueProfile {
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (known) return known;
  const value = emptyProfile();
  Object.defineProperty(properties, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
}

function holds(value: unknown, is: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return is(value);
  if (!isRecord(value) || depth >= DEEPEST) return false;
  return Object.values(value).some((child) => holds(child, is, depth + 1));
}

export function merged(a: ValueProfile, b: ValueProfile): ValueProfile {
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

/** The formats of JSON Schema that a text is unlikely to match by accident. */
const knownFormats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  // Accepts the characters that RFC 3986 allows, like the check of responses. The brackets in JSON:API's `?page[size]=2` are not allowed.
  uri: /^https?:\/\/[\w.-]+(:\d+)?(\/([\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i,
};
