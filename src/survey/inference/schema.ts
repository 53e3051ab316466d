import type { FlatSchema } from '../../verdict/index.ts';
import { merged, type ValueProfile } from './value-profile.ts';

/** Minimum number of samples from which a property that was always the same is expected to stay so. */
export const ENOUGH = 20;
/** Number of different matching texts that a format needs. */
const FORMAT_TEXTS = 3;
const ENUM_MOST = 8;
const ENUM_EACH = 3;

/**
 * The common schema of the observed values. It is wider where the evidence is thin: a field that was always present in fewer than 20 samples isn't
 * required, whole numbers in fewer samples aren't `integer`, and a single value makes no enum.
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

/** Whether the survey had filled the record each time it saw a value, so it never saw an empty record. */
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
  // More texts than the profile stores are certainly enough.
  const distinct = texts ? Object.keys(texts).length : Number.POSITIVE_INFINITY;
  const format = formats?.[0];
  if (format && count >= FORMAT_TEXTS && distinct >= FORMAT_TEXTS) return { format };
  if (!texts || count < ENOUGH || distinct < 2 || distinct > ENUM_MOST) return {};
  const isCodes = Object.entries(texts).every(([text, seen]) => seen >= ENUM_EACH && /^[A-Z][A-Z0-9_]*$/.test(text));
  // An enum for a nullable value would have to list null, too.
  return isCodes && !types.null && !filled ? { enum: Object.keys(texts).sort() } : {};
}

/** The keywords for an object. If some names are data, only names that every object has are fields. */
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

/** A schema as text for people: `{userId: string, avatar?: {…} | null}[]`; `?` marks optional fields. */
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
