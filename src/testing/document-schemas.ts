import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { projectRoot } from '../environment/project-root.ts';

const ajv = new Ajv({ strict: true, allErrors: true });
formats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** Forbids unknown fields in a schema. Published schemas allow them, but in a test an unknown field shows a gap in the schema. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const own = Object.entries(part).map(([key, value]) => [key, closed(value)]);
  return { ...Object.fromEntries(own), ...('required' in part ? { additionalProperties: false } : {}) };
}

/** The problems of a document by its published schema in docs/schemas; empty if it is valid. */
export function misfits(name: 'check' | 'environment' | 'facts' | 'notice' | 'status', document: unknown): string[] {
  const file = join(projectRoot, 'docs', 'schemas', `${name}.schema.json`);
  const validate = compiled.get(name) ?? ajv.compile(closed(JSON.parse(readFileSync(file, 'utf8'))) as object);
  compiled.set(name, validate);
  validate(document);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

export function assertFits(...given: Parameters<typeof misfits>): void {
  assert.deepEqual(misfits(...given), []);
}
