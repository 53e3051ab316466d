import type { FlatSchema } from '../../client/index.ts';
import type { Definition, JsonSchema } from './compile-schemas.ts';

type Source = Readonly<Record<string, unknown>>;

/** What is certain of the values of a definition; a circle ends where it begins again, and nothing is certain there. */
export function flatSchema(definitions: readonly Definition[], index: number, within = new Set<number>()): FlatSchema {
  return flatten(definitions[index]?.schema ?? {}, definitions, new Set([...within, index]));
}

function flatten(schema: JsonSchema, definitions: readonly Definition[], within: Set<number>): FlatSchema {
  if (typeof schema === 'boolean') return {};
  const flat = (inner: unknown) => flatten(inner as JsonSchema, definitions, within);
  const { $ref } = schema;
  const index = typeof $ref === 'string' ? Number($ref.slice($ref.lastIndexOf('/') + 1)) : undefined;
  const referred = index === undefined || within.has(index) ? [] : [flatSchema(definitions, index, within)];
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
  const shared = Object.entries(b).flatMap(([name, right]) => {
    const left = Object.hasOwn(a, name) ? a[name] : undefined;
    return left ? [[name, join(left, right)] as const] : [];
  });
  return { ...a, ...b, ...Object.fromEntries(shared) };
}

function typesOf({ type }: FlatSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

function mapped(source: Source, flat: (inner: unknown) => FlatSchema): Record<string, FlatSchema> {
  return Object.fromEntries(Object.entries(source).map(([name, schema]) => [name, flat(schema)]));
}
