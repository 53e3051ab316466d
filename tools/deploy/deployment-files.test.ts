import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outdated } from './deployment-files.ts';

test('deployment files and example environments that are made from others are as they would be made now: `npm run deployment`', () => {
  assert.deepEqual(outdated(), []);
});
