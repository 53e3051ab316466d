import type { FlatSchema } from '../../client/index.ts';
import { present } from '../present.ts';
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
  const parts = ((schema.allOf ?? []) as readonly unknown[]).map(flat);
  const alternatives = [schema.anyOf, schema.oneOf].map((list) => ((list ?? []) as readonly unknown[]).map(flat));
  const either = alternatives.filter(({ length }) => length > 0).map((each) => each.reduce(union));
  return [...referred, ...parts, ...either].reduce(both, own(schema, flat));
}

function own(schema: Source, flat: (inner: unknown) => FlatSchema): FlatSchema {
  const { type, format, required, properties, additionalProperties, items, const: only } = schema;
  const values = (schema.enum ?? (only === undefined ? undefined : [only])) as readonly unknown[] | undefined;
  const fields = Object.entries((properties ?? {}) as Source).map(([name, inner]) => [name, flat(inner)] as const);
  return present({
    type,
    format: typeof format === 'string' ? format : undefined,
    enum: values?.every((value) => typeof value === 'string') ? values : undefined,
    required: Array.isArray(required) ? required : undefined,
    properties: properties ? Object.fromEntries(fields) : undefined,
    additionalProperties: typeof additionalProperties === 'object' ? flat(additionalProperties) : undefined,
    items: items === undefined ? undefined : flat(items),
  }) as FlatSchema;
}

/** What is certain of a value that fits both. */
function both(a: FlatSchema, b: FlatSchema): FlatSchema {
  const [from, to] = [typesOf(a), typesOf(b)];
  const common = from.filter((type) => to.includes(type));
  return {
    ...b,
    ...a,
    ...certain({
      types: [common, from, to].find(({ length }) => length > 0) ?? [],
      required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])],
      properties: together(a.properties, b.properties, both),
      items: a.items && b.items && both(a.items, b.items),
    }),
  };
}

/** What is certain of a value that fits one of the two. */
function union(a: FlatSchema, b: FlatSchema): FlatSchema {
  const [from, to] = [typesOf(a), typesOf(b)];
  // An alternative that is no object says nothing of an object's fields.
  const [one, other = one] = [a, b].filter((each) => typesOf(each).length === 0 || typesOf(each).includes('object'));
  return certain({
    types: from.length > 0 && to.length > 0 ? [...new Set([...from, ...to])] : [],
    required: (one?.required ?? []).filter((name) => other?.required?.includes(name)),
    format: a.format === b.format ? a.format : undefined,
    enum: a.enum && b.enum ? [...new Set([...a.enum, ...b.enum])] : undefined,
    properties: together(a.properties, b.properties, union),
    items: a.items && b.items ? union(a.items, b.items) : (a.items ?? b.items),
  });
}

type Open = { readonly [K in keyof FlatSchema]?: FlatSchema[K] | undefined } & { readonly types: readonly string[] };

/** Without what says nothing; a type that is the only one stands alone. */
function certain({ types, required, ...rest }: Open): FlatSchema {
  const type = types.length === 1 ? types[0] : types;
  return present({ ...rest, type: type?.length ? type : undefined, required: required?.length ? required : undefined });
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
