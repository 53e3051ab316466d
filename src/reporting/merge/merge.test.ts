import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/own-folder.ts';
import type { RunIdentity } from '../run-facts.ts';
import type { TestOutcome } from '../summary.ts';
import { mergeParts, writeMerged } from './merge-parts.ts';
import { compareParts, type Part, type Unreadable } from './parts.ts';

/** The results of a shard of one run, as a job may have left them. */
function shardPart(folder: string, run: Partial<RunIdentity>, outcomes: readonly TestOutcome[] = []): Part {
  const identity: RunIdentity = {
    seed: '7',
    commit: 'c1',
    selection: '',
    shard: null,
    startedAt: '2026-11-21T10:00:00.000Z',
    status: 'passed',
    errors: 0,
    ...run,
  };
  return { folder, facts: { run: identity, common: { Seed: '7' }, environments: {} }, outcomes, calls: [] };
}

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

const otherTwo = (run: Partial<RunIdentity>) => shardPart('two', { ...two.facts.run, ...run });
const refused: [title: string, found: (Part | Unreadable)[], says: RegExp][] = [
  ['no results at all', [killed], /run: four has no run\.json/],
  ['a shard twice', [one, { ...one, folder: 'again' }], /run: shard 1 of 3 is there twice: one, again$/],
  ['another commit', [one, otherTwo({ commit: 'c2' })], /commits differ: one: c1 · two: c2$/],
  ['another seed', [one, otherTwo({ seed: '8' })], /seeds differ: one: 7 · two: 8$/],
  ['other options', [one, otherTwo({ selection: '--area x' })], /options differ: one: none · two: --area x$/],
  ['another number', [one, otherTwo({ shard: { index: 2, count: 4 } })], /numbers of shards differ: one: 3 · two: 4$/],
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
    'several, at once',
    [one, otherTwo({ seed: '8', commit: 'c2' })],
    /run:\n {2}their commits .*\n {2}their seeds differ/,
  ],
];
for (const [title, found, says] of refused)
  test(`${title} is refused`, () => assert.throws(() => compareParts(found), says));

const outcome = (title: string, rest: Partial<TestOutcome> = {}): TestOutcome => ({
  environment: 'staging',
  title,
  area: 'friends',
  outcome: 'passed',
  seconds: 1,
  ...rest,
});
const call = { environment: 'staging', operation: 'love' as const, startedAt: 0, durationMs: 1, status: 200 };
const factsOf = (requests: string, server: string) => ({
  staging: { Friends: 'https://a.example/', Requests: requests, Server: server },
});

test('outcomes, calls, requests and servers are those of all shards; the run began with the first', () => {
  const first = { shard: { index: 1, count: 2 }, startedAt: '2026-11-21T10:05:00.000Z' };
  const one = shardPart('one', first, [outcome('a')]);
  const two = shardPart('two', { shard: { index: 2, count: 2 } }, [outcome('b')]);
  const merged = mergeParts({
    parts: [
      { ...one, calls: [call, call], facts: { ...one.facts, environments: factsOf('2', 'nginx') } },
      { ...two, calls: [call], facts: { ...two.facts, environments: factsOf('1', 'caddy, nginx') } },
    ],
    count: 2,
    missing: [],
  });
  assert.deepEqual(merged.outcomes, [outcome('a'), outcome('b')]);
  assert.equal(merged.calls.length, 3);
  assert.deepEqual(merged.facts.common, { Seed: '7', Requests: '3', Shards: '2' });
  assert.deepEqual(merged.facts.environments, factsOf('3', 'caddy, nginx'));
  const { shard, startedAt, status } = merged.facts.run;
  assert.deepEqual([shard, startedAt, status], [null, '2026-11-21T10:00:00.000Z', 'passed']);
});

const failed = { status: 'failed' } as const;
const cut: [title: string, run: Partial<RunIdentity>, outcomes: TestOutcome[], says: string][] = [
  ['a shard that ended by itself', {}, [outcome('a')], ''],
  ['one with a failed test', failed, [outcome('a', { outcome: 'failed' })], ''],
  ['one that could not judge', failed, [outcome('a', { outcome: 'unknown' })], ''],
  ['Ctrl-C', { status: 'interrupted' }, [outcome('a')], 'was cut short: interrupted'],
  ['the time limit', { status: 'timedout' }, [outcome('a')], 'was cut short: timedout'],
  ['an error outside', { ...failed, errors: 1 }, [outcome('a')], 'had an error outside its tests; its log shows it'],
  ['nothing shows why', failed, [outcome('a')], 'failed without a failed test; its log shows why'],
];
for (const [title, run, outcomes, says] of cut)
  test(`${title}: ${says ? 'not green' : 'nothing is missing'}`, () => {
    const { gaps, outcomes: all } = mergeParts({ parts: [shardPart('dir', run, outcomes)], count: 1, missing: [] });
    assert.deepEqual(gaps.map(({ reason }) => reason).join(), says && `shard 1 of 1 ${says} (dir)`);
    assert.ok(gaps.every((gap) => gap.outcome === 'unknown' && all.includes(gap)));
  });

test('an environment of which every test was skipped is not green', () => {
  const all = [outcome('a'), outcome('a', { environment: 'other', outcome: 'skipped' })];
  const { facts } = mergeParts({ parts: [shardPart('dir', {}, all)], count: 1, missing: [] });
  assert.equal(facts.run.status, 'failed');
});

test('a missing shard is an outcome that could not be judged', () => {
  const { gaps, facts: merged } = mergeParts({ parts: [shardPart('dir', {})], count: 3, missing: [2, 3] });
  const found = gaps.map((gap) => `${gap.title}: ${gap.outcome}`);
  assert.deepEqual(found, ['shard 2 of 3: unknown', 'shard 3 of 3: unknown']);
  assert.equal(merged.run.status, 'failed');
});

test('what is missing is in the results for the report when they are written', async (t) => {
  const folder = ownFolder();
  t.mock.property(process, 'env', { ...process.env, SEXTANT_OUTPUT: folder });
  const compared = { parts: [shardPart(join(folder, 'one'), {})], count: 2, missing: [2] };
  await writeMerged(compared);
  const results = globSync('allure-results/*-result.json', { cwd: folder });
  assert.deepEqual(
    results.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).name),
    ['shard 2 of 2'],
  );
});

test('two scenarios of one title in different shards could not be judged; one that was repeated there is one', () => {
  const part = (index: number, file: string) =>
    shardPart(`${index}`, { shard: { index, count: 2 } }, [outcome('a', { file }), outcome(`${index}`, { file })]);
  const merge = (...parts: Part[]) => mergeParts({ parts, count: 2, missing: [] });
  const { gaps, facts } = merge(part(1, 'tests/own/x.spec.ts'), part(2, 'tests/own/y.spec.ts'));
  assert.deepEqual(
    gaps.map(({ title, outcome, reason }) => `${title} ${outcome} ${reason}`),
    [
      'a unknown tests/own/y.spec.ts: "a" is the title of another scenario too, at tests/own/x.spec.ts; rename one of them: reports and histories are kept by title',
    ],
  );
  assert.equal(facts.run.status, 'failed');
  assert.deepEqual(merge(part(1, 'tests/own/x.spec.ts'), part(2, 'tests/own/x.spec.ts')).gaps, []);
});
