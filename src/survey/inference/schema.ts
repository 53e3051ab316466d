import type { ValueProfile } from './value-profile.ts';

/** An inferred JSON Schema: the keywords for which responses can give evidence. */
export interface InferredSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, InferredSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: InferredSchema;
  readonly items?: InferredSchema;
}

/** Minimum number of samples before a constant property is expected to stay. */
const ENOUGH = 20;
/** A format needs this many different matching texts. */
const FORMAT_TEXTS = 3;
const ENUM_MOST = 8;
/** Minimum number of occurrences of each enum value. */
const ENUM_EACH = 3;

/**
 * The common schema of the observed values, widened where the evidence is thin: a field that was always present in fewer
 * than 20 samples isn't required, whole numbers in fewer aren't `integer`, and a single value makes no enum.
 */
export function inferSchema(profile: ValueProfile): InferredSchema {
  const types = typesOf(profile);
  if (types.length === 0) return {};
  const schema: InferredSchema = { type: types.length === 1 ? (types[0] as string) : types };
  return {
    ...schema,
    ...textKeywords(profile),
    ...objectKeywords(profile),
    ...(profile.items && profile.items.count > 0 ? { items: inferSchema(profile.items) } : {}),
  };
}

function typesOf({ types }: ValueProfile): string[] {
  const { integer = 0, number = 0, ...others } = types;
  const numeric = integer + number === 0 ? [] : [number === 0 && integer >= ENOUGH ? 'integer' : 'number'];
  return [...Object.keys(others), ...numeric].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
}

function textKeywords({ types, texts, formats }: ValueProfile): Pick<InferredSchema, 'format' | 'enum'> {
  const count = types.string ?? 0;
  // More texts than are stored are certainly enough.
  const distinct = texts ? Object.keys(texts).length : Number.POSITIVE_INFINITY;
  const format = formats?.[0];
  if (format && count >= FORMAT_TEXTS && distinct >= FORMAT_TEXTS) return { format };
  if (!texts || count < ENOUGH || distinct < 2 || distinct > ENUM_MOST) return {};
  const isCodes = Object.entries(texts).every(([text, seen]) => seen >= ENUM_EACH && /^[A-Z][A-Z0-9_]*$/.test(text));
  // The enum of a nullable value would need null as well.
  return isCodes && !types.null ? { enum: Object.keys(texts).sort() } : {};
}

function objectKeywords({ types, properties, values }: ValueProfile): Partial<InferredSchema> {
  if (values) return { additionalProperties: inferSchema(values) };
  if (!properties) return {};
  const objects = types.object ?? 0;
  const required = Object.entries(properties)
    .filter(([, { count }]) => count === objects && objects >= ENOUGH)
    .map(([name]) => name);
  return {
    properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, inferSchema(child)])),
    ...(required.length > 0 ? { required } : {}),
  };
}
