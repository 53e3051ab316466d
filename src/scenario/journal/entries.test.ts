import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoes } from '../../client/index.ts';
import { change } from '../../testing/journal-state.ts';
import { type Entry, touchesSame } from './entries.ts';

const entry: Entry = { id: '1', at: '', ...change };

const sameness: [name: string, other: Partial<Entry>, undoes: boolean, touches: boolean][] = [
  ['the same', {}, true, true],
  ['another friend', { args: { friendId: 'cleo' } }, false, false],
  ['another user', { userId: 'ben' }, false, false],
  ['another address', { base: 'http://127.0.0.1:2/' }, false, false],
  ['another operation', { undo: 'unlove' }, false, false],
];
for (const [name, other, isUndone, isTouched] of sameness) {
  test(`${name}: undoes it ${isUndone}, touches the same ${isTouched}`, () => {
    assert.equal(undoes({ ...entry, ...other }, entry), isUndone);
    assert.equal(touchesSame({ ...entry, ...other }, entry), isTouched);
  });
}

test('another change of the same profile touches it, but does not undo it', () => {
  const put: Entry = { ...entry, change: 'updateProfile', undo: 'updateProfile', args: { includes: '', name: 'Ada' } };
  const other = { ...put, args: { includes: '', name: 'sextant-x' } };
  assert.equal(undoes(other, put), false);
  assert.equal(touchesSame(other, put), true);
});
