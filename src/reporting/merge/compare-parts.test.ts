import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shardPart } from '../../testing/programs/shard-part.ts';
import { compareParts } from './compare-parts.ts';
import type { Part, Unreadable } from './part.ts';

const one = shardPart('one', { shard: { index: 1, count: 3 } });
const two = shardPart('two', { shard: { index: 2, count: 3 } });
const three = shardPart('three', { shard: { index: 3, count: 3 } });
const killed: Unreadable = { folder: 'four', why: 'has no run.json: no run ended there' };
const staging = { Friends: 'https://friends.staging.example/' };
const elsewhere = { Friends: 'https://friends.production.example/' };
const inEnvironments = (part: Part, environments: Part['facts']['environments']): Part => ({
  ...part,
  facts: { ...part.facts, environments },
});

test('shards in any order are one run', () => {
  const { parts, count, missing } = compareParts([three, one, two]);
  assert.deepEqual([parts, count, missing], [[one, two, three], 3, []]);
});

test('a shard without results is missed', () => {
  assert.deepEqual(compareParts([one, killed, three]).missing, [2]);
  assert.deepEqual(compareParts([three]).missing, [1, 2]);
});

test('a whole run is its only part', () => {
  assert.deepEqual(compareParts([shardPart('whole', {})]).missing, []);
});

test('requests and servers may differ', () => {
  const own = inEnvironments(one, { staging: { ...staging, Requests: '7', Server: 'a' } });
  const other = inEnvironments(two, { staging: { ...staging, Requests: '9', Server: 'b' } });
  assert.equal(compareParts([own, other]).parts.length, 2);
});

const refused: [title: string, found: (Part | Unreadable)[], says: RegExp][] = [
  ['no results at all', [killed], /run: four has no run\.json/],
  ['a shard twice', [one, { ...one, folder: 'again' }], /run: shard 1 of 3 is there twice: one, again$/],
  ['another commit', [one, shardPart('two', { ...two.run, commit: 'c2' })], /commits differ: one: c1 · two: c2$/],
  ['another seed', [one, shardPart('two', { ...two.run, seed: '8' })], /seeds differ: one: 7 · two: 8$/],
  [
    'other options',
    [one, shardPart('two', { ...two.run, selection: '--area x' })],
    /options differ: one: none · two: --area x$/,
  ],
  [
    'another number of shards',
    [one, shardPart('two', { shard: { index: 2, count: 4 } })],
    /numbers of shards differ: one: 3 · two: 4$/,
  ],
  [
    'another service',
    [inEnvironments(one, { staging }), inEnvironments(two, { staging: elsewhere })],
    /environments differ: one: .*staging\.example.* · two: .*production\.example/,
  ],
  [
    'another environment',
    [inEnvironments(one, { staging }), inEnvironments(two, { qa: staging })],
    /environments differ/,
  ],
  [
    'several differences, all at once',
    [one, shardPart('two', { ...two.run, seed: '8', commit: 'c2' })],
    /run:\n {2}their commits differ.*\n {2}their seeds differ/,
  ],
];
for (const [title, found, says] of refused)
  test(`${title} is refused`, () => assert.throws(() => compareParts(found), says));
