import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';

/** A field of a request record, inside lists too. */
export interface Field {
  /** From the record's root; a number is a list index. */
  readonly path: readonly (string | number)[];
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** Prose, not an id or a list in disguise: a text without pattern or least length. */
  readonly isFreeText: boolean;
}

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Every field of a request schema. */
export function fieldsOf(schema: RequestSchemaName): Field[] {
  return fieldsBelow(requestSchemas[schema] as Schema, []);
}

function fieldsBelow({ properties = {}, items }: Schema, path: Field['path']): Field[] {
  const own = Object.entries(properties).flatMap(([name, child]) => [
    { path: [...path, name], type: child.type as Field['type'], isFreeText: isFreeText(child) },
    ...fieldsBelow(child, [...path, name]),
  ]);
  return items?.properties ? [...own, ...fieldsBelow(items, [...path, 0])] : own;
}

function isFreeText({ type, pattern, minLength }: Schema): boolean {
  return type === 'string' && pattern === undefined && minLength === undefined;
}

/** `record` with another value in one place; `undefined` removes the field. */
export function withField(record: unknown, path: Field['path'], value: unknown): unknown {
  const copy = structuredClone(record) as Record<string | number, unknown>;
  const parent = path.slice(0, -1).reduce((node, step) => node[step] as typeof copy, copy);
  const last = path.at(-1) as string;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** A JSON text of `depth` nested lists. */
export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
