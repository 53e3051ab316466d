import type { ObservedOperation } from '../target/target.ts';

const bodies = ['always', 'sometimes', 'never', 'text'];
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** Deeper than any body that is worth a schema, and no danger to the stack. */
const DEEPEST = 100;

/** Whether a value that was read from a file is what a survey writes of an operation. */
export function isObservedOperation(value: unknown): value is ObservedOperation {
  return (
    isRecord(value) && typeof value.operation === 'string' && isRecord(value.answers) && every(value.answers, isAnswer)
  );
}

function isAnswer(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { contentTypes, samples, observedAt, body, schema } = value;
  const areTypes =
    Array.isArray(contentTypes) && contentTypes.every((type) => type === null || typeof type === 'string');
  const isCounted =
    typeof samples === 'number' && typeof observedAt === 'string' && bodies.some((each) => each === body);
  return areTypes && isCounted && (schema === undefined || isSchema(schema, 0));
}

/** A JSON Schema whose keywords, as far as they are read, have the right types. */
function isSchema(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth > DEEPEST) return false;
  const { type, format, required, properties, items, additionalProperties } = value;
  const isInner = (inner: unknown) => inner === undefined || typeof inner === 'boolean' || isSchema(inner, depth + 1);
  return (
    (type === undefined || [type].flat().every((each) => types.some((known) => known === each))) &&
    (format === undefined || typeof format === 'string') &&
    [value.enum, required].every((list) => list === undefined || isTexts(list)) &&
    (properties === undefined || (isRecord(properties) && every(properties, (inner) => isSchema(inner, depth + 1)))) &&
    isInner(items) &&
    isInner(additionalProperties)
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function every(record: object, holds: (value: unknown) => boolean): boolean {
  return Object.values(record).every(holds);
}
