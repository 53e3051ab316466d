import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';
import type { Call } from '../../call/index.ts';

export interface Field {
  /** The path from the record's root; a number is a list index. */
  readonly path: readonly (string | number)[];
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export function fieldsOf(schema: RequestSchemaName): Field[] {
  return fieldsBelow(requestSchemas[schema] as Schema, []);
}

function fieldsBelow({ properties = {}, items }: Schema, path: Field['path']): Field[] {
  const own = Object.entries(properties).flatMap(([name, child]) => {
    const at = [...path, name];
    return [{ path: at, type: child.type as Field['type'] }, ...fieldsBelow(child, at)];
  });
  return items?.properties ? [...own, ...fieldsBelow(items, [...path, 0])] : own;
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

export interface InvalidInput {
  readonly what: string;
  /** A `rawBody`, or path parameters. */
  readonly args: unknown;
  readonly change?: (call: Call) => Call;
}
