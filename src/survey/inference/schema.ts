import type { FlatSchema } from '../../verdict/index.ts';
import { merged, type ValueProfile } from './value-profile.ts';

/**
 * Only with at least this many samples does a schema make the stricter statements: a property is required, a number is an integer, a text
 * is one of an enum.
 */
export const ENOUGH = 20;
/** Minimum number of different texts that must match before a schema names a format. */
const FORMAT_TEXTS = 3;
const ENUM_MOST = 8;
const ENUM_EACH = 3;

/**
 * The schema that fits all observed values. With little evidence it allows more: in fewer than 20 samples, a field that was always present
 * isn't required, and whole numbers aren't `integer`. A single value never makes an enum.
 */
export function inferSchema(profile: ValueProfile): FlatSchema {
  const types = typesOf(profile, isOnlyFilled(profile));
  // If only null was seen, any type is accepted.
  if (types.every((type) => type === 'null')) return {};
  const schema: FlatSchema = { type: types.length === 1 ? (types[0] as string) : types };
  return {
    ...schema,
    ...textKeywords(profile),
    ...objectKeywords(profile),
    ...(profile.items && profile.items.count > 0 ? { items: inferSchema(profile.items) } : {}),
  };
}

/** Whether the survey itself had filled the record before each sample, so it doesn't know what an empty record looks like. */
function isOnlyFilled({ count, filled = 0 }: ValueProfile): boolean {
  return filled > 0 && filled === count;
}

function typesOf({ types }: ValueProfile, mayBeNull: boolean): string[] {
  const { integer = 0, number = 0, ...others } = types;
  const numeric = integer + number === 0 ? [] : [number === 0 && integer >= ENOUGH ? 'integer' : 'number'];
  const named = mayBeNull ? { ...others, null: 1 } : others;
  return [...Object.keys(named), ...numeric].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
}

function textKeywords({ types, texts, formats, filled }: ValueProfile): Pick<FlatSchema, 'format' | 'enum'> {
  const count = types.string ?? 0;
  // A profile without `texts` has stopped storing them, because there were too many different ones: certainly enough for a format.
  const distinct = texts ? Object.keys(texts).length : Number.POSITIVE_INFINITY;
  const format = formats?.[0];
  if (format && count >= FORMAT_TEXTS && distinct >= FORMAT_TEXTS) return { format };
  if (!texts || count < ENOUGH || distinct < 2 || distinct > ENUM_MOST) return {};
  const isCodes = Object.entries(texts).every(([text, seen]) => seen >= ENUM_EACH && /^[A-Z][A-Z0-9_]*$/.test(text));
  // No enum for a nullable value, because the enum would have to list null, too.
  return isCodes && !types.null && !filled ? { enum: Object.keys(texts).sort() } : {};
}

/** The keywords for an object. If the object is a map, its names are data, except those that every sample has: these become fields. */
function objectKeywords({ types, properties = {}, values }: ValueProfile): Partial<FlatSchema> {
  const objects = types.object ?? 0;
  if (objects === 0) return {};
  const isAlways = ({ count }: ValueProfile) => count === objects;
  const all = Object.entries(properties);
  const fields = values ? all.filter(([, child]) => isAlways(child)) : all;
  const data =
    values && all.filter(([, child]) => !isAlways(child)).reduce((sum, [, child]) => merged(sum, child), values);
  const required = fields.filter(([, child]) => isAlways(child) && objects >= ENOUGH && !isOnlyFilled(child));
  return {
    ...(values && fields.length === 0
      ? {}
      : { properties: Object.fromEntries(fields.map(([name, child]) => [name, inferSchema(child)])) }),
    ...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
    ...(data ? { additionalProperties: inferSchema(data) } : {}),
  };
}

/** A schema as a text for people, such as `{userId: string, avatar?: {…} | null}[]`. A question mark follows optional fields. */
export function shapeText(schema: FlatSchema): string {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return 'anything';
  return types.map((type) => typeText(type, schema)).join(' | ');
}

function typeText(type: string, schema: FlatSchema): string {
  if (type === 'array') {
    const items = shapeText(schema.items ?? {});
    return / \| /.test(items) && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
  }
  if (type === 'object') return objectText(schema);
  if (type !== 'string') return type;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return schema.format ?? type;
}

function objectText({ properties = {}, required = [], additionalProperties }: FlatSchema): string {
  const fields = Object.entries(properties).map(
    ([name, child]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeText(child)}`,
  );
  return `{${[...fields, ...(additionalProperties ? [`[name]: ${shapeText(additionalProperties)}`] : [])].join(', ')}}`;
}
