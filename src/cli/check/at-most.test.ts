import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { atMost } from './check-environments.ts';

test('never more than so many at once, and the results in order', async () => {
  let underWay = 0;
  let most = 0;
  const doubled = await atMost(3, [5, 1, 4, 2, 3, 0], async (turns) => {
    most = Math.max(most, ++underWay);
    for (let i = 0; i < turns; i++) await turn();
    underWay--;
    return 2 * turns;
  });
  assert.deepEqual([doubled, most], [[10, 2, 8, 4, 6, 0], 3]);
});

test('an error ends it', async () => {
  await assert.rejects(
    atMost(2, [1, 2], async (each) => {
      if (each === 2) throw new Error('two');
    }),
    /two/,
  );
});
