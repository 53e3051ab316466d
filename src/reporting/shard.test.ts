import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaIds } from '../spec/index.ts';
import { areasOfShard, areasThatShareUsers, parseShard } from './shard.ts';

const texts: [text: string, expected: ReturnType<typeof parseShard>][] = [
  ['1/1', { index: 1, count: 1 }],
  ['2/4', { index: 2, count: 4 }],
  ['0/4', undefined],
  ['5/4', undefined],
  ['1/0', undefined],
  ['1', undefined],
  ['-1/4', undefined],
  ['a/b', undefined],
];
for (const [text, expected] of texts) test(`shard: ${text}`, () => assert.deepEqual(parseShard(text), expected));

test('the areas that act as users stay together, the others stand by themselves', () => {
  assert.deepEqual(areasThatShareUsers(), [['friends', 'stories', 'profile', 'storage'], ['gameDesign'], ['features']]);
});

for (const count of [1, 2, 3, 4, 9]) {
  test(`${count} shards cover each area once`, () => {
    const all = Array.from({ length: count }, (_, index) => areasOfShard({ index: index + 1, count })).flat();
    assert.deepEqual(all.sort(), [...areaIds].sort());
  });
}
