import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { requestSchemas } from './requests.ts';

function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => (key === 'schema' ? [child as object] : schemasIn(child)));
}

const observed = globSync('observed/*/*.json', { cwd: import.meta.dirname }).map((file) => {
  const document: unknown = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
  return [file, schemasIn(document)] as const;
});
const all = [...Object.entries(requestSchemas).map(([name, schema]) => [name, [schema]] as const), ...observed];

// The program compiles observed schemas without validating them, because that is faster. This test validates all schemas against the
// meta-schema instead.
for (const [name, schemas] of all)
  test(`${name} is valid by the schema of schemas`, () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true });
    formats.default(ajv);
    for (const schema of schemas) assert.ok(ajv.validateSchema(schema), ajv.errorsText());
  });

test('there are schemas', () => {
  assert.ok(all.length > Object.keys(requestSchemas).length);
  assert.ok(
    observed.every(([, schemas]) => schemas.length > 0),
    'an observed file without a schema',
  );
});
