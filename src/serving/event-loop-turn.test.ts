import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLoopTurn } from './event-loop-turn.ts';

/** Three works of two slices each, at once; a bar stands for everything else that has its turn. */
async function order(slice: () => void): Promise<string> {
  const seen: string[] = [];
  let isOver = false;
  const other = () => {
    seen.push('|');
    if (!isOver) setImmediate(other);
  };
  other();
  const work = async (name: string) => {
    for (const part of [1, 2]) {
      await eventLoopTurn();
      slice();
      seen.push(`${name}${part}`);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  return seen.join(' ').replace(/^(\| )+/, '');
}

test('long slices take turns, and everything else has its turn between them', async () => {
  const long = () => {
    const end = performance.now() + 6;
    while (performance.now() < end);
  };
  assert.match(await order(long), /^a1( \|)+ b1( \|)+ c1( \|)+ a2( \|)+ b2( \|)+ c2/);
});

test('works keep their order, however short their slices are', async () => {
  assert.equal((await order(() => {})).replaceAll(' |', ''), 'a1 b1 c1 a2 b2 c2');
});
