import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressesFrom, localElsewhere } from '../../testing/programs/local-elsewhere.ts';
import { ran } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';
import { exitCodeOf } from './report.ts';

const local = await localElsewhere();
const at = (...names: string[]) => join(local.folder, ...names);

const run = (args: readonly string[], output: string, code = 0) =>
  ran(args, { ...local.env, GITHUB_RUN_ID: '4711', SEXTANT_OUTPUT: at(output) }, code);
/** Merges shards in these folders; resolves with what was said. */
const merge = (folders: readonly string[], code = 0) =>
  run(['report', '--merge', ...folders.map((name) => at(name))], 'merged', code);
const some =
  '(block, then list|love, then unlove|clone type|evaluate a flag with).*@(friends|stories|gameDesign|features)';
/** What is refused before anything is written needs no process of its own. */
async function refused(...folders: string[]): Promise<string> {
  process.env.SEXTANT_OUTPUT = at('merged');
  const { code, out, err } = await runInProcess(['report', '--merge', ...folders.map((name) => at(name))]);
  assert.equal(code, 2, out + err);
  return err;
}
const summary = () => JSON.parse(readFileSync(at('merged', 'summary.json'), 'utf8'));

// Without a provisioner: shards are areas.
writeFileSync(at('environments', 'local.env'), environmentText(addressesFrom(local.base), seededData));

test('four shards without a provisioner: users stay together, and the fourth has nothing to do', async () => {
  for (const [index, says] of [
    [1, /^Shard 1 of 4: Friends, Stories, Profile, Storage \(without a PROVISION_URL/],
    [2, /^Shard 2 of 4: Game design/],
    [3, /^Shard 3 of 4: Feature toggles/],
    [4, /^Shard 4 of 4 has nothing to do/],
  ] as const)
    assert.match(await run(['test', '--grep', some, '--shard', `${index}/4`], `shards/${index}`), says);
});

test('they become one report, one JUnit file, one summary and one exit code', async () => {
  const said = await merge(['shards']);
  assert.match(said, /Report .*index\.html of 4 of 4 shards/);
  const parts = [1, 2, 3, 4].map((index) => JSON.parse(readFileSync(at('shards', `${index}`, 'summary.json'), 'utf8')));
  const sum = (name: string) => parts.reduce((total, part) => total + part[name], 0);
  const { passed, failed, unknown, skipped, areas } = summary();
  assert.deepEqual(
    { passed, failed, unknown, skipped },
    { passed: sum('passed'), failed: 0, unknown: 0, skipped: sum('skipped') },
  );
  assert.deepEqual(Object.keys(areas), ['friends', 'stories', 'gameDesign', 'features']);
  const { common, environments } = JSON.parse(readFileSync(at('merged', 'run.json'), 'utf8'));
  assert.equal(common.Requests, environments.local.Requests);
  assert.equal(environments.local.Friends, `http://127.0.0.1:${local.base}/`);
  const calls = readFileSync(at('merged', 'calls', 'merged.ndjson'), 'utf8')
    .trim()
    .split('\n');
  assert.equal(common.Requests, String(calls.length));
  const latencies = JSON.parse(readFileSync(at('merged', 'allure-results', 'latency-perf.json'), 'utf8'));
  assert.ok(latencies.some(({ key }: { key: string }) => key === 'local.evaluate.p95'));
  assert.ok(latencies.some(({ key }: { key: string }) => key === 'local.block.median'));
  assert.match(
    readFileSync(at('merged', 'junit.xml'), 'utf8'),
    new RegExp(`<testsuites name="Sextant" tests="${passed + skipped}"`),
  );
  assert.equal(readFileSync(at('merged', 'history.jsonl'), 'utf8').trim().split('\n').length, 1);
});

test('a missing shard is not green: in the summary, in JUnit, in the report and for its gate; the history grows', async () => {
  const said = await merge(['shards/1', 'shards/3', 'shards/4'], 3);
  assert.match(said, /unknown 1 × shard 2 of 4 is missing: its job left no results/);
  assert.match(said, /of 3 of 4 shards; without 2/);
  assert.match(said, /maxFailures/);
  assert.equal(summary().unknown, 1);
  assert.match(readFileSync(at('merged', 'junit.xml'), 'utf8'), /errors="1"/);
  assert.equal(readFileSync(at('merged', 'history.jsonl'), 'utf8').trim().split('\n').length, 2);
});

test('a shard twice, another seed, no results: refused before anything is written', async () => {
  const before = readFileSync(at('merged', 'summary.json'), 'utf8');
  assert.match(
    await refused('shards/1', 'shards/1'),
    /^These are not the shards of one run: shard 1 of 4 is there twice/,
  );
  cpSync(at('shards', '2'), at('other'), { recursive: true });
  const part = readFileSync(at('other', 'run.json'), 'utf8');
  writeFileSync(at('other', 'run.json'), part.replace(/"seed": ?"\w+"/, '"seed": "8"'));
  assert.match(await refused('shards/1', 'other'), /their seeds differ/);
  mkdirSync(at('empty'), { recursive: true });
  assert.match(await refused('empty'), /has no run\.json/);
  assert.equal(readFileSync(at('merged', 'summary.json'), 'utf8'), before);
});

test('a shard of a run that selects nothing ends with 0, and proves nothing when it is merged', async () => {
  await run(['test', '--grep', 'no such test', '--shard', '1/1'], 'none/1');
  await merge(['none'], 1);
});

test('results where the merged ones go are refused', async () => {
  renameSync(at('merged'), at('moved'));
  assert.match(await refused('merged'), /is where the merged results go/);
  assert.ok(!existsSync(at('merged')));
  assert.ok(readdirSync(at('moved')).includes('report'));
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
