import assert from 'node:assert/strict';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressesFrom, localElsewhere, ran } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';
import { exitCodeOf } from './report.ts';

const local = await localElsewhere();
const at = (...names: string[]) => join(local.folder, ...names);

const GITHUB_RUN_ID = '4711';
Object.assign(process.env, { ...local.env, GITHUB_RUN_ID, SEXTANT_OUTPUT: at('merged') });

async function merge(code: number, ...folders: string[]) {
  const ended = await runInProcess(['report', '--merge', ...folders.map((name) => at('shards', name))]);
  assert.equal(ended.code, code, ended.out + ended.err);
  return ended;
}
const summary = () => JSON.parse(readFileSync(at('merged', 'summary.json'), 'utf8'));

// Without a provisioner: shards are areas.
writeFileSync(at('environments', 'local.env'), environmentText(addressesFrom(local.base), seededData));

test('shards without a provisioner: users stay together', async () => {
  for (const [part, says] of [
    ['1/2', /^Shard 1 of 2: Friends, Stories, Profile, Storage, Feature toggles \(without a PROVISION_URL/],
    ['2/2', /^Shard 2 of 2: Game design \(/],
  ] as const) {
    const env = { ...local.env, GITHUB_RUN_ID, SEXTANT_OUTPUT: at('shards', part.charAt(0)) };
    const args = ['test', '--grep', 'evaluate a flag with|clone type', '--shard', part];
    assert.match(await ran(args, env), says);
  }
});

test('they become one report, one JUnit file, one summary and one exit code', async () => {
  const { out } = await merge(0, '');
  assert.match(out, /Report .*index\.html of 2 of 2 shards/);
  const parts = [1, 2].map((part) => JSON.parse(readFileSync(at('shards', `${part}`, 'summary.json'), 'utf8')));
  const sum = (name: string) => parts.reduce((total, part) => total + part[name], 0);
  const { passed, failed, unknown, skipped, areas } = summary();
  assert.deepEqual([passed, failed, unknown, skipped], [sum('passed'), 0, 0, sum('skipped')]);
  assert.deepEqual([areas.gameDesign.passed, areas.features.passed], parts.map((part) => part.passed).toReversed());
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

test('a missing shard is not green: in the summary, in JUnit, in the report and for its gate; the history grows', async () => {
  const { out } = await merge(3, '1');
  assert.match(out, /unknown 1 × shard 2 of 2 is missing: its job left no results/);
  assert.match(out, /of 1 of 2 shards; without 2/);
  assert.match(out, /maxFailures/);
  assert.equal(summary().unknown, 1);
  assert.match(readFileSync(at('merged', 'junit.xml'), 'utf8'), /errors="1"/);
  assert.equal(readFileSync(at('merged', 'history.jsonl'), 'utf8').trim().split('\n').length, 2);
});

test('a shard twice, another seed, no results: refused before anything is written', async () => {
  const before = readFileSync(at('merged', 'summary.json'), 'utf8');
  assert.match((await merge(2, '1', '1')).err, /^These are not the shards of one run: shard 1 of 2 is there twice/);
  cpSync(at('shards', '2'), at('shards', 'other'), { recursive: true });
  const file = at('shards', 'other', 'run.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"seed": ?"\w+"/, '"seed": "8"'));
  assert.match((await merge(2, '1', 'other')).err, /their seeds differ/);
  mkdirSync(at('shards', 'empty'));
  assert.match((await merge(2, 'empty')).err, /has no run\.json/);
  assert.equal(readFileSync(at('merged', 'summary.json'), 'utf8'), before);
});

test('a report that is stopped while it is built ends in one word', async () => {
  const { code, err } = await runInProcess(['report', '--merge', at('shards', '1')], { stopAt: /^ {2}Total /m });
  assert.deepEqual([code, err], [130, 'Stopped.\n']);
});

test('results where the merged ones go are refused', async () => {
  assert.match((await merge(2, '../merged')).err, /is where the merged results go/);
});

const codes: [summary: Parameters<typeof exitCodeOf>[0], gate: boolean, code: number][] = [
  [{ passed: 1, failed: 0, unknown: 0 }, true, 0],
  [{ passed: 1, failed: 0, unknown: 0 }, false, 1],
  [{ passed: 1, failed: 1, unknown: 1 }, false, 1],
  [{ passed: 1, failed: 0, unknown: 1 }, false, 3],
  [{ passed: 0, failed: 0, unknown: 0 }, true, 1],
];
for (const [counts, gate, code] of codes)
  test(`${JSON.stringify(counts)}, gate ${gate ? 'passed' : 'broken'}: exit ${code}`, () =>
    assert.equal(exitCodeOf(counts, gate), code));
