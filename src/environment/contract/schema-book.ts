import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { isRecord } from '../../http/index.ts';
import type { Conformance } from '../../verdict/index.ts';
import { attempt, ConfigurationError } from '../configuration-error.ts';
import { assertSchema, type Definition, type JsonSchema, newAjv, problemsOf } from './compile-schemas.ts';
import type { Place } from './documents.ts';
import { translatedPattern } from './patterns.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** The keywords that constrain a value, by the kind of their content. All other keywords are notes for people. */
const keywords = {
  values: words(
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format ' +
      'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired',
  ),
  maps: words('properties patternProperties dependentSchemas'),
  lists: words('allOf anyOf oneOf prefixItems'),
  schemas: words(
    'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties',
  ),
};

type Source = Readonly<Record<string, unknown>>;

/** Maximum nesting of a schema: deeper than any schema that a person writes, but not too deep for the call stack. */
const DEEPEST = 200;

/**
 * The schemas of a document as JSON Schema 2020-12. Each schema that a `$ref` points to becomes a definition, so schemas may refer to each
 * other in circles. Features that only OpenAPI 3.0 has are translated: `nullable`, boolean `exclusiveMinimum`, keywords next to `$ref`.
 */
export class SchemaBook {
  /** Patterns that can't be read. Values are not checked against them. */
  readonly ignored: string[] = [];
  /** Schemas that refer back to themselves for the same value, so that a check would never end. They are ignored. */
  readonly circular: string[] = [];
  readonly #isOldStyle: boolean;
  readonly #direction: 'request' | 'response';
  readonly #definitions: Definition[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #open: [index: number, place: Place][] = [];
  #ajv: Ajv2020 | undefined;
  /** The number of definitions that Ajv knows. */
  #compiled = 0;
  /** Whether a check may take very long for some values. If so, each check has a time limit, which costs 0.15 ms. */
  #mayBeSlow = false;

  constructor(version: '3.0' | '3.1', direction: 'request' | 'response') {
    this.#isOldStyle = version === '3.0';
    this.#direction = direction;
  }

  /** Returns the check of a schema. Adds this schema and all schemas that it refers to. @throws DocumentTrouble */
  conformance(place: Place): Conformance {
    const index = this.#indexOf(place);
    for (let next = this.#open.pop(); next; next = this.#open.pop())
      this.#definitions[next[0]] = { place: next[1], schema: this.#convert(next[1], 0, []) };
    return (value) => problemsOf(value, this.#validator(index), this.#mayBeSlow ? place.name : undefined);
  }

  /** Checks all added schemas, and makes circular schemas accept every value. @throws DocumentTrouble if a schema isn't valid. */
  assertValid(): void {
    for (const definition of this.#definitions) assertSchema(definition);
    const schemas = this.#definitions.map(({ schema }) => schema);
    const endless = new Set(endlessIn(schemas));
    for (const index of endless) this.circular.push((this.#definitions[index] as Definition).place.name);
    for (const index of endless.size > 0 ? reaching(endless, schemas) : []) {
      const { place, schema } = this.#definitions[index] as Definition;
      this.#definitions[index] = { place, schema: endless.has(index) || lenient(schema) };
    }
    for (const [index, { place }] of this.#definitions.entries())
      try {
        this.#validator(index);
      } catch (error) {
        const [reason = ''] = (error as Error).message.split('\n');
        throw place.trouble(`Ajv can't compile it: ${reason}; correct it`);
      }
  }

  /** The validator of a definition. It is compiled only on demand, because definitions may refer to others that are added later. */
  #validator(index: number): ValidateFunction {
    this.#ajv ??= newAjv();
    for (; this.#compiled < this.#definitions.length; this.#compiled++)
      this.#ajv.addSchema(this.#definitions[this.#compiled]?.schema ?? {}, nameOf(this.#compiled));
    return this.#ajv.getSchema(nameOf(index)) as ValidateFunction;
  }

  #indexOf(place: Place): number {
    const known = this.#indexes.get(place.pointer);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(place.pointer, index);
    this.#open.push([index, place]);
    return index;
  }

  /** Converts a schema. `around` are the schemas that contain it in their `allOf`, so they describe the same value. */
  #convert(place: Place, depth: number, around: readonly Place[]): JsonSchema {
    const { value } = place;
    if (depth > DEEPEST) throw place.trouble('is nested too deeply; correct it');
    if (typeof value === 'boolean') return value;
    if (!isRecord(value)) throw place.trouble('is not a schema; correct it');
    const { nullable, required } = value as Source;
    const { reference } = place;
    // OpenAPI 3.0 ignores keywords next to a reference.
    const own = reference !== undefined && this.#isOldStyle ? {} : this.#translated(place, required, depth, around);
    const referred = reference === undefined ? {} : { $ref: nameOf(this.#indexOf(place.resolve(reference))) };
    return nullableSchema({ ...referred, ...own }, nullable);
  }

  #translated(place: Place, required: unknown, depth: number, around: readonly Place[]): Source {
    const made: Record<string, unknown> = {};
    const inner = (member: Place) => this.#convert(member, depth + 1, []);
    for (const [name, member] of place.entries()) {
      this.#mayBeSlow ||= /^(pattern|uniqueItems)/.test(name);
      if (name === 'pattern') Object.assign(made, this.#patternOf(member));
      else if (keywords.values.has(name)) made[name] = member.value;
      else if (keywords.maps.has(name))
        made[name] = Object.fromEntries(
          member
            .entries()
            .map(([key, each]) =>
              name === 'patternProperties' ? this.#propertiesLike(key, member, inner(each)) : [key, inner(each)],
            ),
        );
      else if (keywords.lists.has(name)) {
        const beside = name === 'allOf' ? [...around, place] : [];
        // With a discriminator, a property names the alternative that applies. The value may then fit other alternatives, too, which
        // `oneOf` would refuse.
        const isChosen = name === 'oneOf' && place.at('discriminator').value !== undefined;
        made[isChosen ? 'anyOf' : name] = member.members().map((each) => this.#convert(each, depth + 1, beside));
      } else if (keywords.schemas.has(name)) made[name] = inner(member);
    }
    if (Array.isArray(required))
      made.required = required.filter((name) => !this.#isLeftOut(String(name), [place, ...around], 0));
    withBounds(made);
    return made;
  }

  #patternOf(place: Place): Source {
    const { value } = place;
    // Keep a pattern that isn't a text, because `assertSchema` reports it.
    if (typeof value !== 'string') return { pattern: value };
    const pattern = translatedPattern(value);
    if (pattern === undefined) this.ignored.push(`${place.name}: ${value}`);
    return pattern === undefined ? {} : { pattern };
  }

  /** An entry of `patternProperties`. If its pattern can't be read, every name is allowed, because the pattern may mean any name. */
  #propertiesLike(names: string, place: Place, schema: JsonSchema): [pattern: string, schema: JsonSchema] {
    const pattern = translatedPattern(names);
    if (pattern === undefined) this.ignored.push(`${place.name}: ${names}`);
    return pattern === undefined ? ['', true] : [pattern, schema];
  }

  /** Whether a required property isn't sent in this direction, because it is readOnly or writeOnly. */
  #isLeftOut(name: string, schemas: readonly Place[], steps: number): boolean {
    return schemas.some((schema) => {
      const at = attempt(() => schema.followed());
      // `followed` fails if the references only lead in a circle. Then there are no properties.
      if (at instanceof ConfigurationError) return false;
      const property = at.at('properties').at(name);
      if (property.value !== undefined && (this.#isMarked(property) || this.#isMarked(property.followed())))
        return true;
      const parts = at.at('allOf').members();
      return steps < 10 && this.#isLeftOut(name, parts, steps + 1);
    });
  }

  #isMarked({ value }: Place): boolean {
    const { readOnly, writeOnly } = (value ?? {}) as { readOnly?: unknown; writeOnly?: unknown };
    return (this.#direction === 'request' ? readOnly : writeOnly) === true;
  }
}

const nameOf = (index: number) => `/${index}`;

/** The definitions that refer back to themselves for the same value, e.g. through a parent's `oneOf` and its child's `allOf`. */
function endlessIn(schemas: readonly JsonSchema[]): number[] {
  const next = schemas.map(inPlace);
  return [...schemas.keys()].filter((index) => {
    const reached = new Set<number>();
    const open = [...(next[index] ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      open.push(...(next[at] ?? []));
    }
    return reached.has(index);
  });
}

/** The indexes of the definitions that a schema applies to the value itself (e.g. by `$ref` or `allOf`), not to its properties or items. */
function inPlace(schema: JsonSchema): number[] {
  if (typeof schema === 'boolean') return [];
  const {
    $ref,
    allOf = [],
    anyOf = [],
    oneOf = [],
    not,
    if: condition,
    then,
    else: other,
    dependentSchemas = {},
  } = schema;
  const lists = [allOf, anyOf, oneOf, Object.values(dependentSchemas as object)] as JsonSchema[][];
  const parts = [...lists.flat(), ...([not, condition, then, other] as JsonSchema[])].filter(
    (part) => part !== undefined,
  );
  return [...(typeof $ref === 'string' ? [Number($ref.slice(1))] : []), ...parts.flatMap(inPlace)];
}

/** The indexes of the definitions that refer to one of `ends`, directly or through others, and `ends` themselves. */
function reaching(ends: ReadonlySet<number>, schemas: readonly JsonSchema[]): ReadonlySet<number> {
  const found = new Set(ends);
  const next = schemas.map((schema) =>
    Array.from(JSON.stringify(schema).matchAll(REFERENCE), ([, index]) => Number(index)),
  );
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [index, all] of next.entries()) if (all.some((each) => found.has(each))) found.add(index);
  }
  return found;
}

const REFERENCE = /"\$ref":"\/(\d+)"/g;

/**
 * Adapts a schema that refers to an ignored definition, which accepts every value. `not`, `if` and similar keywords, and `oneOf`, could
 * refuse a value only because a part of them accepts it. So these keywords are removed, and `oneOf` becomes `anyOf`.
 */
function lenient(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { not, if: _, then, else: __, contains, unevaluatedItems, unevaluatedProperties, oneOf, ...kept } = schema;
  const made = Object.entries(kept).map(([name, value]) => [name, lenientPart(name, value)]);
  const rest = Object.fromEntries(made);
  if (oneOf === undefined) return rest;
  return { ...rest, allOf: [...(rest.allOf ?? []), { anyOf: lenientPart('anyOf', oneOf) }] };
}

function lenientPart(name: string, value: unknown): unknown {
  if (keywords.lists.has(name)) return (value as JsonSchema[]).map(lenient);
  if (keywords.schemas.has(name)) return lenient(value as JsonSchema);
  if (!keywords.maps.has(name)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonSchema>).map(([key, each]) => [key, lenient(each)]),
  );
}

/** Translates exclusive limits, which are booleans in OpenAPI 3.0 and numbers in JSON Schema. */
function withBounds(made: Record<string, unknown>): void {
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const flag = made[exclusive];
    if (typeof flag !== 'boolean') continue;
    delete made[exclusive];
    if (!flag || made[inclusive] === undefined) continue;
    made[exclusive] = made[inclusive];
    delete made[inclusive];
  }
}

/** Allows null if `nullable` is true, even in 3.1 or next to other keywords, because the authors of such documents mean null. */
function nullableSchema(schema: JsonSchema, nullable: unknown): JsonSchema {
  if (nullable !== true || typeof schema === 'boolean') return schema;
  const { type } = schema;
  const isPlain = !['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'enum', 'if'].some((name) => name in schema);
  if (isPlain && type === undefined) return schema;
  if (isPlain) return { ...schema, type: [...new Set([type, 'null'].flat())] };
  return { anyOf: [schema, { type: 'null' }] };
}
