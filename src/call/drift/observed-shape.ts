import { isRecord } from '../../http/json-record.ts';
import type { ObservedOperation } from '../../verdict/index.ts';

const bodies = ['always', 'sometimes', 'never', 'text'];
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** Maximum depth of a schema: deeper than any useful schema, but not too deep for the call stack. */
const DEEPEST = 100;

type Check = (value: unknown, depth: number) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isInner: Check = (value, depth) => typeof value === 'boolean' || isSchema(value, depth + 1);

/** The keywords of JSON Schema that Sextant reads, with a check of their values. */
const keywords: Readonly<Record<string, Check>> = {
  type: (value) => [value].flat().every((each) => types.includes(each as string)),
  format: isText,
  enum: isTexts,
  required: isTexts,
  properties: (value, depth) => isRecord(value) && Object.values(value).every((inner) => isSchema(inner, depth + 1)),
  items: isInner,
  additionalProperties: isInner,
};

/** Whether a value from a file has the form that a survey writes for an operation's responses. */
export function isObservedOperation(value: unknown): value is ObservedOperation {
  if (!isRecord(value) || !isRecord(value.answers)) return false;
  return typeof value.operation === 'string' && Object.values(value.answers).every(isAnswer);
}

function isAnswer(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { contentTypes, samples, observedAt, body, schema } = value;
  const areTypes = Array.isArray(contentTypes) && contentTypes.every((type) => type === null || isText(type, 0));
  const isCounted = typeof samples === 'number' && typeof observedAt === 'string' && bodies.includes(body as string);
  return areTypes && isCounted && (schema === undefined || isSchema(schema, 0));
}

function isSchema(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth > DEEPEST) return false;
  return Object.entries(keywords).every(([name, holds]) => value[name] === undefined || holds(value[name], depth));
}
