import assert from 'node:assert/strict';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { UnprovenOperation } from '../../run/index.ts';
import { addressesFrom, localElsewhere, startCommand } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';
import { exitCodeOf } from './report.ts';

const local = await localElsewhere();
const at = (...names: string[]) => join(local.folder, ...names);

Object.assign(process.env, { ...local.env, SEXTANT_OUTPUT: at('merged') });

async function merge(code: number, ...folders: string[]) {
  const ended = await runInProcess(['report', '--merge', ...folders.map((name) => at('shards', name))]);
  assert.equal(ended.code, code, ended.out + ended.err);
  return ended;
}
const summary = () => JSON.parse(readFileSync(at('merged', 'summary.json'), 'utf8'));

const addresses = addressesFrom(local.base);
const provisioner = { PROVISION_URL: `http://127.0.0.1:${local.base + Object.keys(addresses).length}` };
writeFileSync(at('environments', 'local.env'), environmentText(addresses, { ...seededData, ...provisioner }));

const shard = (part: string, ...more: string[]) => {
  const env = { ...local.env, SEXTANT_OUTPUT: at('shards', part.charAt(0)) };
  return startCommand(['test', '--grep', 'evaluate a flag with|clone type', '--shard', part, ...more], env);
};

test('shards of an environment with a provisioner run', async () => {
  for (const part of ['1/2', '2/2']) {
    const { ended, said } = shard(part);
    assert.equal(await ended, 0, said());
  }
});

test('where shards would act as the same users, --shard is refused in one sentence, before anything is sent', async () => {
  writeFileSync(at('environments', 'shared.env'), environmentText(addresses, seededData));
  const { ended, said } = shard('1/2', '--env', 'shared');
  assert.equal(await ended, 2, said());
  assert.match(said(), /^shared: without a PROVISION_URL, shards would act as the same users .*\.$/m);
});

test('they become one report, one JUnit file, one summary and one exit code', async () => {
  const { out } = await merge(0, '');
  assert.match(out, /Report .*index\.html\n/);
  const parts = [1, 2].map((part) => JSON.parse(readFileSync(at('shards', `${part}`, 'summary.json'), 'utf8')));
  const sum = (name: string) => parts.reduce((total, part) => total + part[name], 0);
  const { passed, failed, unknown, skipped } = summary();
  assert.deepEqual([passed, failed, unknown, skipped], [sum('passed'), 0, 0, sum('skipped')]);
  assert.ok(parts.every((part) => part.passed > 0));
  const exchanges = (folder: string) => globSync('allure-results/*.httpexchange', { cwd: folder }).sort();
  assert.deepEqual(exchanges(at('merged')), [...exchanges(at('shards', '1')), ...exchanges(at('shards', '2'))].sort());
  const { common, environments } = JSON.parse(readFileSync(at('merged', 'run.json'), 'utf8'));
  assert.equal(common.Requests, environments.local.Requests);
  assert.equal(environments.local.Friends, `http://127.0.0.1:${local.base}/`);
  const calls = readFileSync(at('merged', 'calls', 'merged.ndjson'), 'utf8');
  assert.equal(common.Requests, String(calls.trim().split('\n').length));
  const latencies = JSON.parse(readFileSync(at('merged', 'allure-results', 'latency-perf.json'), 'utf8'));
  for (const wanted of ['local.evaluate.p95', 'local.cloneType.median'])
    assert.ok(
      latencies.some(({ key }: { key: string }) => key === wanted),
      wanted,
    );
  const junit = readFileSync(at('merged', 'junit.xml'), 'utf8');
  assert.ok(junit.includes(`<testsuites name="Sextant" tests="${passed + skipped}"`));
  assert.equal(readFileSync(at('merged', 'history.jsonl'), 'utf8').trim().split('\n').length, 1);
});

test('a missing shard is not green, and one sentence says so: in the summary, in JUnit and in the report; the history grows', async () => {
  const { out } = await merge(3, '1');
  assert.match(out, /\n {2}Of 2 shards, 2 left no results\.\n$/);
  assert.doesNotMatch(out, /quality gate/i);
  assert.equal(summary().unknown, 1);
  assert.match(readFileSync(at('merged', 'junit.xml'), 'utf8'), /errors="1"/);
  assert.equal(readFileSync(at('merged', 'history.jsonl'), 'utf8').trim().split('\n').length, 2);
});

test('a shard twice, another commit, no results: refused before anything is written', async () => {
  const before = readFileSync(at('merged', 'summary.json'), 'utf8');
  assert.match((await merge(2, '1', '1')).err, /^These are not the shards of one run: shard 1 is there twice/);
  cpSync(at('shards', '2'), at('shards', 'other'), { recursive: true });
  const file = at('shards', 'other', 'run.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"commit": ?[^,]+/, '"commit": "c2"'));
  assert.match((await merge(2, '1', 'other')).err, /they differ \(.*commit c2/);
  mkdirSync(at('shards', 'empty'));
  assert.match((await merge(2, 'empty')).err, /No run ended in/);
  assert.equal(readFileSync(at('merged', 'summary.json'), 'utf8'), before);
});

test('a report that is stopped while it is built ends in one word', async () => {
  const { code, err } = await runInProcess(['report', '--merge', at('shards', '1')], { stopAt: /^ {2}Total /m });
  assert.deepEqual([code, err], [130, 'Stopped.\n']);
});

test('results where the merged ones go are refused', async () => {
  assert.match((await merge(2, '../merged')).err, /is where the merged results go/);
});

const refused: UnprovenOperation = {
  environment: 'staging',
  operation: 'saveAvatar',
  why: 'it refuses the avatar (422)',
  cure: 'survey it',
};
type Codes = Omit<Parameters<typeof exitCodeOf>[0], 'unprovenOperations'>;
const codes: [summary: Codes, gate: boolean, code: number, unprovenOperations?: readonly UnprovenOperation[]][] = [
  [{ passed: 1, failed: 0, unknown: 0 }, true, 0],
  [{ passed: 1, failed: 0, unknown: 0 }, false, 1],
  [{ passed: 1, failed: 1, unknown: 1 }, false, 1],
  [{ passed: 1, failed: 0, unknown: 1 }, false, 3],
  [{ passed: 0, failed: 0, unknown: 0 }, true, 1],
  [{ passed: 1, failed: 0, unknown: 0 }, true, 3, [refused]],
  [{ passed: 1, failed: 1, unknown: 0 }, true, 1, [refused]],
  [{ passed: 1, failed: 0, unknown: 0 }, true, 0, [{ ...refused, excuse: 'MAY_BE_UNPROVEN' }]],
];
for (const [counts, gate, code, unprovenOperations = []] of codes)
  test(`${JSON.stringify(counts)}, gate ${gate ? 'passed' : 'broken'}, ${unprovenOperations.length} unproven: exit ${code}`, () =>
    assert.equal(exitCodeOf({ ...counts, unprovenOperations }, gate), code));
