import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'dotenv';
import { projectRoot } from '../../src/environment/project-root.ts';
import type { FactsDocument } from '../../src/facts/index.ts';
import { misfits } from '../../src/testing/document-schemas.ts';
import { typeSchemas } from './document-schemas.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

test('the published schemas are made of the types as they are; otherwise: npm run pages', () => {
  for (const [file, text] of typeSchemas()) assert.ok(read(file) === text, file);
});

test('files of facts fit their schema, and one with a field too many or too few does not', () => {
  const files = globSync(['environments/*.facts.json', 'docs/facts/*.facts.json'], { cwd: projectRoot });
  assert.ok(files.length > 2);
  for (const file of files) assert.deepEqual(misfits('facts', JSON.parse(read(file))), [], file);
  const [fact]: FactsDocument['facts'] = [
    { question: 'repeat', operation: 'love', answer: 'refused', evidence: '409', askedAt: '28.11.2026' },
  ];
  assert.match(misfits('facts', { facts: [{ ...fact, note: '' }] }).join('\n'), /"note".*format "date"/s);
  assert.match(misfits('facts', { facts: [{ question: 'repeat' }] }).join('\n'), /"operation"/);
});

test('the schema of environments has each key that a file may have, and no other', () => {
  const values = parse(read('environments/local.env'));
  assert.deepEqual(misfits('environment', values), []);
  const more = { ACCESS_TOKEN_FILE: '/run/token', API_KEY_COMMAND: 'vault read', KEEP_ITEMS: 'yes' };
  assert.deepEqual(misfits('environment', { ...values, ...more }), []);
  assert.match(misfits('environment', { ...values, STORY_IDS: 'a' }).join(), /"STORY_IDS"/);
  const { FRIEND_URL: _, ...incomplete } = values;
  assert.match(misfits('environment', incomplete).join(), /'FRIEND_URL'/);
});
