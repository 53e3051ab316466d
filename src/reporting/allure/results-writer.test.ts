import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestResult } from 'allure-js-commons';
import { ownFolder } from '../../testing/own-folder.ts';
import { ResultsWriter } from './results-writer.ts';

test('an exchange becomes two files, whatever else becomes one, and nothing unfinished is left', async () => {
  const folder = ownFolder();
  const writer = new ResultsWriter(folder);
  writer.writeAttachment('a.httpexchange', Buffer.from('{"schemaVersion":1,"curl":"curl -sS"}'));
  writer.writeAttachment('b.txt', Buffer.from('text with ä'));
  writer.writeResult({ uuid: '1' } as TestResult);
  writer.writeGroup({ uuid: '2', children: [], befores: [], afters: [] });
  writer.writeGlobals('3-globals.json', { attachments: [], errors: [] });
  writer.writeEnvironmentInfo({ node: 'v26' });
  await writer.end();
  const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  assert.deepEqual(files, {
    '1-result.json': Buffer.from('{"uuid":"1"}'),
    '2-container.json': Buffer.from('{"uuid":"2","children":[],"befores":[],"afters":[]}'),
    '3-globals.json': Buffer.from('{"attachments":[],"errors":[]}'),
    'a-curl.txt': Buffer.from('curl -sS'),
    'a.httpexchange': Buffer.from('{"schemaVersion":1}'),
    'b.txt': Buffer.from('text with ä'),
    'environment.properties': Buffer.from('node=v26'),
  });
});

test('a file that cannot be written does not hold up the others, and is reported at the end', async () => {
  const folder = ownFolder();
  mkdirSync(join(folder, 'b.txt'));
  const writer = new ResultsWriter(folder);
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writer.writeAttachment(name, Buffer.from('text'));
  writer.writeResult({ uuid: '1' } as TestResult);
  await assert.rejects(writer.end(), { code: 'EISDIR' });
  assert.deepEqual(readdirSync(folder).sort(), ['1-result.json', 'a.txt', 'b.txt', 'c.txt']);
});
