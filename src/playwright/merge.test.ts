import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestOutcome } from '../run/ending/index.ts';
import { ownFolder, writeFiles } from '../testing/own-folder.ts';
import { assertOneRun, mergeParts, type Part, readParts } from './merge.ts';
import { commitOf, type RunIdentity } from './run-facts.ts';
import { told } from './summary.ts';

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

const outcome = (title: string, rest: Partial<TestOutcome> = {}): TestOutcome => ({
  environment: 'staging',
  title,
  area: 'friends',
  verdict: 'passed',
  seconds: 1,
  ...rest,
});
const of3 = (current: number) => ({ shard: { current, total: 3 } });
const one = shardPart('one', of3(1), [outcome('a')]);
const two = shardPart('two', of3(2), [outcome('b')]);
const three = shardPart('three', of3(3), [outcome('c')]);
const staging = { Friends: 'https://friends.staging.example/' };
const elsewhere = { Friends: 'https://friends.production.example/' };
const inEnvironments = (part: Part, environments: Part['facts']['environments']): Part => ({
  ...part,
  facts: { ...part.facts, environments },
});

test('shards in any order are one run, whose requests and servers may differ', () => {
  const own = inEnvironments(one, { staging: { ...staging, Requests: '7', Server: 'a' } });
  const other = inEnvironments(two, { staging: { ...staging, Requests: '9', Server: 'b' } });
  assert.doesNotThrow(() => assertOneRun([other, own]));
  assert.doesNotThrow(() => assertOneRun([shardPart('whole', {})]));
});

const otherTwo = (run: Partial<RunIdentity>) => shardPart('two', { ...two.facts.run, ...run });
const refused: [title: string, found: Part[], says: RegExp][] = [
  ['a shard twice', [one, { ...one, folder: 'again' }], /run: shard 1 is there twice \(one, again\)\.$/],
  ['another commit', [one, otherTwo({ commit: 'c2' })], /run: they differ \(one: commit c1 · two: commit c2\)\.$/],
  [
    'other options',
    [one, otherTwo({ selection: '--area x' })],
    /differ \(one: options none · two: options --area x\)\.$/,
  ],
  ['another number', [one, otherTwo({ shard: { current: 2, total: 4 } })], /differ \(one: 3 shards · two: 4 shards\)/],
  [
    'another service',
    [inEnvironments(one, { staging }), inEnvironments(two, { staging: elsewhere })],
    /differ \(one: staging Friends https:\/\/friends\.staging\.example\/ · two: .*production\.example\/\)\.$/,
  ],
  [
    'another environment',
    [inEnvironments(one, { staging }), inEnvironments(two, { qa: staging })],
    /differ \(one: staging.* · two: qa/,
  ],
];
for (const [title, found, says] of refused)
  test(`${title} is refused in one sentence`, () => assert.throws(() => assertOneRun(found), says));

const call = {
  environment: 'staging',
  operation: 'love',
  area: 'stories',
  startedAt: 0,
  durationMs: 1,
  status: 200,
} as const;

test('outcomes, calls, requests, servers and seeds are those of all shards; the run began with the first', () => {
  const first = { shard: { current: 1, total: 2 }, startedAt: '2026-11-21T10:05:00.000Z' };
  const one = inEnvironments(shardPart('one', first, [outcome('a')]), { staging: { ...staging, Requests: '2' } });
  const two = shardPart('two', { shard: { current: 2, total: 2 }, seed: '8' }, [outcome('b')]);
  const merged = mergeParts([
    { ...one, calls: [{ ...call, server: 'nginx' }, call] },
    { ...two, calls: [{ ...call, server: 'caddy' }] },
  ]);
  assert.deepEqual(merged.outcomes, [outcome('a'), outcome('b')]);
  assert.equal(merged.calls.length, 3);
  assert.deepEqual(merged.facts.common, { Seed: '7, 8', Requests: '3', Shards: '2 of 2' });
  assert.deepEqual(merged.facts.environments, { staging: { ...staging, Requests: '3', Server: 'caddy, nginx' } });
  const { shard, startedAt, status } = merged.facts.run;
  assert.deepEqual([shard, startedAt, status], [null, '2026-11-21T10:00:00.000Z', 'passed']);
});

const failed = { status: 'failed' } as const;
const red = outcome('a', { verdict: 'failed' });
const cutShort = (status: string) =>
  `Shard 1 of 1 ended as ${status} (dir), and its tests don't show the whole reason; its log does.`;
const cases: [title: string, parts: Part[], gap: string][] = [
  ['all shards', [one, two, three], ''],
  ['one missing', [one, three], 'Of 3 shards, 2 left no results.'],
  ['two missing', [three], 'Of 3 shards, 1, 2 left no results.'],
  ['one with a failed test', [shardPart('dir', failed, [red])], ''],
  ['one that could not judge', [shardPart('dir', failed, [outcome('a', { verdict: 'unknown' })])], ''],
  ['Ctrl-C', [shardPart('dir', { status: 'interrupted' })], cutShort('interrupted')],
  ['the time limit', [shardPart('dir', { status: 'timedout' }, [red])], cutShort('timedout')],
  ['an error outside', [shardPart('dir', { ...failed, errors: 1 }, [red])], cutShort('failed')],
  ['nothing shows why', [shardPart('dir', failed, [outcome('a')])], cutShort('failed')],
];
for (const [title, parts, gap] of cases)
  test(`${title}: ${gap || 'nothing is missing'}`, () => {
    const { gaps, outcomes, facts } = mergeParts(parts);
    assert.deepEqual(gaps.join(), gap);
    assert.ok(gaps.every((each) => outcomes.some(({ verdict, reason }) => verdict === 'unknown' && reason === each)));
    if (gap) assert.equal(facts.run.status, 'failed');
  });

test('an environment of which every test was skipped is not green', () => {
  const all = [outcome('a'), outcome('a', { environment: 'other', verdict: 'skipped' })];
  assert.equal(mergeParts([shardPart('dir', {}, all)]).facts.run.status, 'failed');
});

test('what is missing is among the causes that reports show', () => {
  const { outcomes } = mergeParts([one, three]);
  assert.deepEqual(
    told(outcomes).causes.map(({ sentence }) => sentence),
    ['Of 3 shards, 2 left no results.'],
  );
});

test('half a file is a shard that is missing; where no run ended, nothing is merged', () => {
  const facts = { run: one.facts.run, common: {}, environments: {} };
  const whole = { 'run.json': JSON.stringify(facts), 'outcomes.json': '[]' };
  const folder = writeFiles(ownFolder(), {
    ...{ '1/run.json': whole['run.json'], '1/outcomes.json': '[]', '2/run.json': '{"run":', '2/outcomes.json': '[]' },
    ...{ 'logs/of.txt': '', 'a-file': '' },
  });
  assert.deepEqual(
    readParts([folder]).map((part) => part.folder),
    [join(folder, '1')],
  );
  assert.throws(() => readParts([join(folder, '2')]), /No run ended in .*: there is no run\.json\.$/);
});

test('the commit is the pipeline’s, or that of the repository', () => {
  assert.equal(commitOf({ CI_COMMIT_SHA: 'abc' }), 'abc');
  assert.equal(commitOf({}, '/'), undefined);
});
