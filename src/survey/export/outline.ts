import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';

interface Shape {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

const examples: Readonly<Record<string, unknown>> = {
  string: 'sextant-export',
  integer: 1,
  number: 1,
  boolean: false,
  array: [],
};

/** A body with the required fields of a record, for records whose data no environment names. */
export function outlineOf(record: RequestSchemaName): unknown {
  return exampleOf(requestSchemas[record]);
}

function exampleOf({ type = 'object', required = [], properties = {} }: Shape): unknown {
  if (type !== 'object') return examples[type];
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}
