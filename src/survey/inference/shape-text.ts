import type { InferredSchema } from './schema.ts';

/** A schema for people: `{userId: string, avatar?: {…} | null}[]`; `?` marks optional fields. */
export function shapeText(schema: InferredSchema): string {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return 'anything';
  return types.map((type) => typeText(type, schema)).join(' | ');
}

function typeText(type: string, schema: InferredSchema): string {
  if (type === 'array') return `${schema.items ? grouped(shapeText(schema.items)) : 'anything'}[]`;
  if (type === 'object') return objectText(schema);
  if (type !== 'string') return type;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return schema.format ?? type;
}

function objectText({ properties = {}, required = [], additionalProperties }: InferredSchema): string {
  const fields = Object.entries(properties).map(
    ([name, child]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeText(child)}`,
  );
  return `{${[...fields, ...(additionalProperties ? [`[name]: ${shapeText(additionalProperties)}`] : [])].join(', ')}}`;
}

function grouped(text: string): string {
  return / \| /.test(text) && !text.startsWith('{') ? `(${text})` : text;
}
