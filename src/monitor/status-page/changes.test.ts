import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Changes, type ChangesOptions } from './changes.ts';

/** Changes of a board without scenarios, and how often it was looked at since. */
function looks(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let count = 0;
  const board = {
    changedSince() {
      count++;
      return [];
    },
  };
  const options = { board, recorder: { openIncidents: [] }, live: {}, onFlips: () => {} };
  const changes = new Changes(options as unknown as ChangesOptions);
  const before = count;
  return { changes, count: () => count - before };
}

test('changes of half a second are looked at together', (t) => {
  const { changes, count } = looks(t);
  changes.look();
  changes.look();
  assert.equal(count(), 0);
  t.mock.timers.tick(500);
  assert.equal(count(), 1);
  changes.look();
  t.mock.timers.tick(500);
  assert.equal(count(), 2);
});

test('what is recorded while the monitor stops is not looked at, because the history is closed soon', (t) => {
  const { changes, count } = looks(t);
  changes.look();
  t.mock.timers.tick(500);
  changes.stop();
  changes.look();
  t.mock.timers.tick(5_000);
  assert.equal(count(), 1);
});
