import type { JsonSchema } from './json-schema.ts';

/**
 * A schema that also accepts null if `nullable` is true. OpenAPI 3.0.3 restricts the keyword to schemas with a `type`, and 3.1
 * has dropped it; whoever writes it all the same means null, so it is accepted wherever it stands.
 */
export function nullableSchema(schema: JsonSchema, nullable: unknown): JsonSchema {
  if (nullable !== true || typeof schema === 'boolean') return schema;
  const { type } = schema;
  const isPlain = !['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'enum', 'if'].some((name) => name in schema);
  if (isPlain && type === undefined) return schema;
  if (isPlain) return { ...schema, type: [...new Set([type, 'null'].flat())] };
  return { anyOf: [schema, { type: 'null' }] };
}
