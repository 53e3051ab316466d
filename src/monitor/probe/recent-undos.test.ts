import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recentUndos } from './recent-undos.ts';

test('an undo that was awaited in vain is known to later attempts in its environment, for two minutes', () => {
  let now = 0;
  const of = recentUndos(() => now);
  of('qa').add({ undo: 'unblock', isSeen: false });
  const known = () => [of('qa'), of('staging')].map((each) => each.all().length).join();
  assert.equal(known(), '1,0');
  now = 119_999;
  assert.equal(known(), '1,0');
  now = 120_000;
  assert.equal(known(), '0,0');
});
