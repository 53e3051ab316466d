import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineOf } from './exported-requests.ts';

test('an outline has the required fields of a record, each of its type', () => {
  assert.deepEqual(outlineOf('storyReference'), { storyId: 'sextant-export' });
  assert.deepEqual(outlineOf('designTypeClone'), {
    FromClientId: 'sextant-export',
    TypeName: 'sextant-export',
    TypeVersion: 'sextant-export',
    Files: [],
    IsSetDefaultTypeVersion: false,
  });
});
