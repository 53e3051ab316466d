import type { Definition, JsonSchema } from './schema-book.ts';

/** A schema without references and alternatives: of each place in a value, what is certain about it. */
export interface FlatSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, FlatSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: FlatSchema;
  readonly items?: FlatSchema;
}

type Source = Readonly<Record<string, unknown>>;

/** A definition of a book as a flat schema; a circle ends where it begins again, and nothing is certain there. */
export function flatSchema(definitions: readonly Definition[], index: number): FlatSchema {
  return flatten(definitions[index]?.schema ?? {}, definitions, new Set([index]));
}

function flatten(schema: JsonSchema, definitions: readonly Definition[], within: ReadonlySet<number>): FlatSchema {
  if (typeof schema === 'boolean') return {};
  const flat = (inner: unknown) => flatten(inner as JsonSchema, definitions, within);
  const { $ref } = schema;
  const index = typeof $ref === 'string' ? Number($ref.slice($ref.lastIndexOf('/') + 1)) : undefined;
  const referred =
    index === undefined || within.has(index)
      ? []
      : [flatten(definitions[index]?.schema ?? {}, definitions, new Set([...within, index]))];
  const all = (schema.allOf ?? []) as readonly JsonSchema[];
  const chosen = all.flatMap((part) => (typeof part === 'object' && part.if ? [flat(part.then)] : []));
  const parts = all.filter((part) => typeof part === 'boolean' || !part.if).map(flat);
  const alternatives = [schema.anyOf, schema.oneOf].map((list) => ((list ?? []) as readonly unknown[]).map(flat));
  const either = [...alternatives, chosen].filter(({ length }) => length > 0).map((each) => each.reduce(union));
  return [...referred, ...parts, ...either].reduce(both, own(schema, flat));
}

function own(schema: Source, flat: (inner: unknown) => FlatSchema): FlatSchema {
  const { type, format, required, properties, additionalProperties, items, const: only } = schema;
  const values = (schema.enum ?? (only === undefined ? undefined : [only])) as readonly unknown[] | undefined;
  const isCodes = values?.every((value) => typeof value === 'string');
  return {
    ...(type === undefined ? {} : { type: type as string }),
    ...(typeof format === 'string' ? { format } : {}),
    ...(isCodes ? { enum: values as readonly string[] } : {}),
    ...(Array.isArray(required) ? { required } : {}),
    ...(properties ? { properties: mapped(properties as Source, flat) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: flat(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: flat(items) }),
  };
}

/** What is certain of a value that fits both. */
function both(a: FlatSchema, b: FlatSchema): FlatSchema {
  const [from, to] = [typesOf(a), typesOf(b)];
  const common = from.filter((type) => to.includes(type));
  const types = from.length === 0 ? to : common.length > 0 ? common : from;
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const properties = together(a.properties, b.properties, both);
  return {
    ...b,
    ...a,
    ...(types.length > 0 ? { type: types.length === 1 ? (types[0] as string) : types } : {}),
    ...(properties ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(a.items && b.items ? { items: both(a.items, b.items) } : {}),
  };
}

/** What is certain of a value that fits one of the two. */
function union(a: FlatSchema, b: FlatSchema): FlatSchema {
  const [from, to] = [typesOf(a), typesOf(b)];
  const types = from.length > 0 && to.length > 0 ? [...new Set([...from, ...to])] : [];
  // An alternative that is no object says nothing of an object's fields.
  const objects = [a, b].filter((each) => typesOf(each).length === 0 || typesOf(each).includes('object'));
  const required = objects
    .map((each) => each.required ?? [])
    .reduce((left, right) => left.filter((name) => right.includes(name)), objects[0]?.required ?? []);
  const properties = together(a.properties, b.properties, union);
  const values = a.enum && b.enum ? [...new Set([...a.enum, ...b.enum])] : undefined;
  const items = a.items && b.items ? union(a.items, b.items) : (a.items ?? b.items);
  return {
    ...(types.length > 0 ? { type: types.length === 1 ? (types[0] as string) : types } : {}),
    ...(a.format && a.format === b.format ? { format: a.format } : {}),
    ...(values ? { enum: values } : {}),
    ...(properties ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(items ? { items } : {}),
  };
}

type Properties = FlatSchema['properties'];

function together(a: Properties, b: Properties, join: (a: FlatSchema, b: FlatSchema) => FlatSchema): Properties {
  if (!a || !b) return a ?? b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [left, right] = [a, b].map((each) => (Object.hasOwn(each, name) ? each[name] : undefined));
      return [name, left && right ? join(left, right) : (left ?? right ?? {})];
    }),
  );
}

function typesOf({ type }: FlatSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

function mapped(source: Source, flat: (inner: unknown) => FlatSchema): Record<string, FlatSchema> {
  return Object.fromEntries(Object.entries(source).map(([name, schema]) => [name, flat(schema)]));
}
