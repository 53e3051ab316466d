import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { findingLines } from './readings.ts';

test('what a run found out is for the file that it read, wherever that is', () => {
  const folder = ownFolder();
  process.env.SEXTANT_ENVIRONMENTS = folder;
  const lines = findingLines('qa', [{ question: 'typeVersion', reading: 'copy' }]);
  assert.deepEqual(lines.slice(2), [
    `To skip finding it out, add to ${join(folder, 'qa.env')}:`,
    '  TYPE_VERSION_MEANS=copy',
  ]);
});
