import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turn } from './turn.ts';

test('works at once take turns, and everything else has its turn between them', async () => {
  const seen: string[] = [];
  let isOver = false;
  const other = () => {
    seen.push('|');
    if (!isOver) setImmediate(other);
  };
  other();
  const work = async (name: string) => {
    for (let slice = 1; slice <= 2; slice++) {
      await turn();
      seen.push(`${name}${slice}`);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  const slices = seen.filter((one) => one !== '|');
  assert.deepEqual(slices, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  assert.doesNotMatch(seen.join(' '), /\d \w/, 'two slices in one turn');
});
