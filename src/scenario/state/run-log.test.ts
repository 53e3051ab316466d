import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { runLog } from './run-log.ts';

const folder = ownFolder();

test('the processes of a run share its entries', () => {
  process.env.SEXTANT_OUTPUT = join(folder, 'output');
  runLog('run', 'qa', 'kind').add(1);
  runLog('run', 'qa', 'kind').add(2);
  assert.deepEqual(runLog('run', 'qa', 'kind').all(), [1, 2]);
  assert.deepEqual(runLog('other', 'qa', 'kind').all(), []);
});

test('where nothing can be written, a process keeps its own', () => {
  writeFileSync(join(folder, 'file'), '');
  process.env.SEXTANT_OUTPUT = join(folder, 'file', 'output');
  runLog('run', 'qa', 'kind').add(3);
  assert.deepEqual(runLog('run', 'qa', 'kind').all(), [3]);
  assert.deepEqual(runLog('run', 'qa', 'another').all(), []);
});
