import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shardPart } from '../../testing/programs/shard-part.ts';
import type { RunIdentity } from '../run-facts.ts';
import type { TestOutcome } from '../summary.ts';
import { mergeParts } from './merge-parts.ts';

const outcome = (title: string, rest: Partial<TestOutcome> = {}): TestOutcome => ({
  environment: 'staging',
  title,
  area: 'friends',
  outcome: 'passed',
  seconds: 1,
  ...rest,
});
const call = { environment: 'staging', operation: 'love' as const, startedAt: 0, durationMs: 1, status: 200 };
const facts = (requests: string, server: string) => ({
  staging: { Friends: 'https://a.example/', Requests: requests, Server: server },
});

test('outcomes, calls, requests and servers are those of all shards; the run began with the first', () => {
  const one = shardPart('one', { shard: { index: 1, count: 2 }, startedAt: '2026-11-21T10:05:00.000Z' }, [
    outcome('a'),
  ]);
  const two = shardPart('two', { shard: { index: 2, count: 2 } }, [outcome('b')]);
  const merged = mergeParts({
    parts: [
      { ...one, calls: [call, call], facts: { ...one.facts, environments: facts('2', 'nginx') } },
      { ...two, calls: [call], facts: { ...two.facts, environments: facts('1', 'caddy, nginx') } },
    ],
    count: 2,
    missing: [],
  });
  assert.deepEqual(merged.outcomes, [outcome('a'), outcome('b')]);
  assert.equal(merged.calls.length, 3);
  assert.deepEqual(merged.facts.common, { Seed: '7', Requests: '3', Shards: '2' });
  assert.deepEqual(merged.facts.environments, facts('3', 'caddy, nginx'));
  const { shard, startedAt, status } = merged.facts.run;
  assert.deepEqual([shard, startedAt, status], [null, '2026-11-21T10:00:00.000Z', 'passed']);
});

const cut: [title: string, run: Partial<RunIdentity>, outcomes: TestOutcome[], says: string[]][] = [
  ['a shard that ended by itself', {}, [outcome('a')], []],
  ['one with a failed test', { status: 'failed' }, [outcome('a', { outcome: 'failed' })], []],
  ['one that could not judge', { status: 'failed' }, [outcome('a', { outcome: 'unknown' })], []],
  ['Ctrl-C', { status: 'interrupted' }, [outcome('a')], ['shard 1 of 1 was cut short: interrupted (dir)']],
  ['the time limit', { status: 'timedout' }, [outcome('a')], ['shard 1 of 1 was cut short: timedout (dir)']],
  [
    'an error outside the tests',
    { status: 'failed', errors: 1 },
    [outcome('a')],
    ['shard 1 of 1 had an error outside its tests; its log shows it (dir)'],
  ],
  [
    'failed, and nothing shows why',
    { status: 'failed' },
    [outcome('a')],
    ['shard 1 of 1 failed without a failed test; its log shows why (dir)'],
  ],
];
for (const [title, run, outcomes, says] of cut)
  test(`${title}: ${says.length > 0 ? 'not green' : 'nothing is missing'}`, () => {
    const { gaps, outcomes: all } = mergeParts({ parts: [shardPart('dir', run, outcomes)], count: 1, missing: [] });
    assert.deepEqual(
      gaps.map(({ reason }) => reason),
      says,
    );
    assert.ok(gaps.every((gap) => gap.outcome === 'unknown' && all.includes(gap)));
  });

test('a missing shard is an outcome that could not be judged', () => {
  const { gaps, facts: merged } = mergeParts({ parts: [shardPart('dir', {})], count: 3, missing: [2, 3] });
  assert.deepEqual(
    gaps.map(({ title, outcome: found }) => [title, found]),
    [
      ['shard 2 of 3', 'unknown'],
      ['shard 3 of 3', 'unknown'],
    ],
  );
  assert.equal(merged.run.status, 'failed');
});
