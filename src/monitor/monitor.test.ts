import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../reference-service/index.ts';
import type { Environment } from '../environment/index.ts';
import type { Scenario } from '../run/index.ts';
import { scenarioOf } from '../testing/made-scenario.ts';
import { quickSettings } from '../testing/monitor/fakes.ts';
import { receiver } from '../testing/monitor/receiver.ts';
import { runMonitor, start, TOKEN, until } from '../testing/monitor/watched-service.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { answers } from '../testing/safety-bench.ts';
import { fetchOnce } from '../testing/servers/listening.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { SpecMistake } from '../verdict/index.ts';
import { enterScenario, saveStanding } from './history/scenarios.ts';
import { HistoryDatabase, historyFile, startMonitor } from './index.ts';
import { unseen } from './status/status.ts';

const emptyList = answers('listBlocked', 200, []);

test('a spec file that does not load is unknown beside the others, which are monitored; the heartbeat has the start and the result of each round', async (t) => {
  const watcher = await receiver();
  t.after(watcher.end);
  const file = '/project/tests/scenarios/broken.spec.ts';
  const mistake = new SpecMistake('the file does not load: Error: no; correct it', { file, line: 3 });
  const made = scenarioOf('scenarios/broken.spec.ts', async () => {}, '@all', '@read');
  const broken: Scenario = { ...made, file, mistake };
  const { notices, status, text } = await start(t, { heartbeatUrl: watcher.url }, 0, [broken]);
  const isUp = /probe_success\{environment="made",area="friends",[^}]*\} 1/;
  await until(async () => isUp.test(await text('/metrics')));
  await until(async () => (await status()).status.description === '1 of 4 scenarios unknown');
  const page = await text('/scenario/made/scenarios-broken-spec-ts');
  assert.match(page, /tests\/scenarios\/broken\.spec\.ts:3: the file does not load: Error: no; correct it/);
  assert.deepEqual(notices(), []);
  const paths = () => watcher.received.map(({ path }) => path);
  // On a slow machine a ping may time out, so an interval may have only one of its two pings.
  const starts = () => paths().filter((path) => path === '/secret-path/start').length;
  await until(() => paths().includes('/secret-path') && starts() >= 2);
  assert.equal(paths()[0], '/secret-path/start');
});

test('a fault and its end reach the channel, the page and the metrics; what passes on retry is shown and counted, without a notice', async (t) => {
  const { service, people, notices, status, text, settings, stopMonitor } = await start(t);
  await until(async () => (await status()).status.description === 'All 3 scenarios up');
  assert.deepEqual(notices(), []);

  service.faults.set(emptyList);
  await people.until(1);
  const [down] = notices();
  assert.deepEqual([down?.kind, down?.environment, down?.scenarios.length], ['down', 'made', 1]);
  assert.equal(down?.cause.address, `${service.addresses.friends}/`);
  const [scenario] = down?.scenarios ?? [];
  assert.deepEqual([scenario?.verdict, scenario?.grade], ['failed', 'documented']);
  assert.match(scenario?.reason ?? '', /the list mentions a friend just blocked/);
  assert.match(scenario?.curl ?? '', /^curl -sS .*bearer \*\*\*/);
  assert.ok(down && Date.parse(down.since) <= Date.parse(down.at));
  const page = await text('/');
  assert.match(page, /1 of 3 scenarios down/);
  assert.match(page, /the list mentions a friend just blocked/);
  await until(async () => (await status()).status.indicator === 'major');
  const summary = await status();
  assert.equal(summary.components.find(({ name }) => name === 'Friends')?.status, 'major_outage');
  const metrics = await text('/metrics');
  for (const pattern of [
    'probe_success{environment="made",area="friends",scenario="block, then list, then unblock"} 0',
    'sextant_scenario_down{environment="made",area="features",scenario="evaluate a flag that exists"} 0',
  ])
    assert.match(metrics, new RegExp(pattern.replaceAll('{', '\\{')));
  assert.match(await text('/'), /block, then list, then unblock<\/a>/);
  assert.match(await text('/scenario/made/block-then-list-then-unblock'), /listBlocked: GET/);

  service.faults.set();
  await people.until(2);
  const up = notices()[1];
  assert.deepEqual([up?.kind, up?.incident], ['up', down.incident]);
  assert.ok((up?.durationMs ?? 0) > 0);
  await until(async () => (await status()).status.indicator === 'none');
  const detail = await text('/scenario/made/block-then-list-then-unblock');

  // A fault for the first user of each run, not for the second. So every run fails first and passes on retry, and the page always shows a
  // retry.
  const users: string[] = [];
  const everyOther: Fault = {
    name: 'every other',
    operation: 'love',
    handle: (honest) => (visit) => {
      if (!users.includes(visit.userId)) users.push(visit.userId);
      return users.indexOf(visit.userId) % 2 === 0 ? { status: 500, body: {} } : honest(visit);
    },
  };
  service.faults.set(everyOther);
  await until(async () => (await text('/')).includes('passed on retry'));
  assert.match(await text('/scenario/made/love-then-unlove'), /failed, then passed/);
  assert.equal(notices().length, 2);
  const all = [page, metrics, detail, ...people.received.map(({ body }) => body)];
  await stopMonitor();
  const db = new HistoryDatabase(historyFile(settings.data), { readOnly: true });
  all.push(JSON.stringify(db.all('SELECT * FROM run')));
  db.close();
  for (const artifact of all) assert.doesNotMatch(artifact, new RegExp(`${TOKEN}|tok_[0-9a-f-]{16,}`));
});

test('a run that takes longer than a round is no failure of the monitor', async (t) => {
  const watcher = await receiver();
  const { promise: long, resolve } = Promise.withResolvers<void>();
  const waiting = scenarioOf('made for a test', () => long);
  const { end } = await runMonitor(oneUser.slice(0, 1), [waiting], { everyMs: 50, heartbeatUrl: watcher.url });
  t.after(async () => {
    resolve();
    await end();
    await watcher.end();
  });
  await watcher.until(8);
  const paths = new Set(watcher.received.map(({ path }) => path));
  assert.deepEqual([...paths].sort(), ['/secret-path', '/secret-path/start']);
});

test('a full disk is reported, also at /healthz; with free space the monitor continues by itself', async (t) => {
  const { running, said, status } = await start(t);
  await until(async () => (await status()).status.description === 'All 3 scenarios up');
  const { db } = running.monitor.recorder;
  const health = async () => (await fetchOnce(new URL('/healthz', running.url))).status;
  db.get(`PRAGMA max_page_count = ${db.get('PRAGMA page_count')?.page_count}`);
  await until(async () => (await health()) === 503);
  assert.match(said.join(), /database or disk is full.*continues by itself/);
  const runs = () => Number(db.get('SELECT count(*) AS count FROM run')?.count);
  const written = runs();
  await until(() => running.monitor.recorder.lost >= 5);
  db.get('PRAGMA max_page_count = 1000000');
  await until(async () => (await health()) === 200);
  assert.ok(runs() > written);
});

test('a monitor that can not begin leaves its folder to the next one', async (t) => {
  const settings = quickSettings(join(ownFolder(), 'data'));
  const begin = () => startMonitor({ environments: [], scenarios: [], settings, say: () => {} });
  await (await begin()).stop();
  const db = new HistoryDatabase(historyFile(settings.data));
  t.after(() => db.close());
  // The monitor starts without scenarios, so it no longer monitors the scenario in its history. At the start, it records that this scenario
  // leaves its incident. The trigger makes SQLite refuse this record, so the start fails.
  const { id } = enterScenario(db, { environment: 'e', title: 'block', area: 'friends', effect: 'read' }, 0);
  saveStanding(db, id, { ...unseen, blind: 'unjudged' }, undefined);
  db.run(`CREATE TRIGGER broken BEFORE INSERT ON flip BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  await assert.rejects(begin(), /broken/);
  db.run('DROP TRIGGER broken');
  await (await begin()).stop();
});

/**
 * Monitors one scenario in each of these environments. Returns how many runs ended, and the highest number of runs that were in progress at
 * the same time.
 */
async function watched(t: TestContext, effect: '@read' | '@reversible', environments: readonly Environment[]) {
  const seen = { runs: 0, now: 0, most: 0 };
  const body = async () => {
    seen.most = Math.max(seen.most, ++seen.now);
    await wait(20);
    seen.now--;
    seen.runs++;
  };
  const { end } = await runMonitor(environments, [scenarioOf('made for a test', body, '@friends', effect)], {
    everyMs: 25,
  });
  t.after(end);
  return seen;
}

const of = (name: string, user: string) => ({ ...testEnvironment('http://127.0.0.1:1', { USER_ID: user }), name });
const oneUser = [of('east', 'ada'), of('west', 'ada')];

test('scenarios that change something as the same users never run at once in two environments', async (t) => {
  const same = await watched(t, '@reversible', oneUser);
  const other = await watched(t, '@reversible', [of('north', 'ben'), of('south', 'eve')]);
  const reading = await watched(t, '@read', oneUser);
  await until(() => same.runs > 20 && other.most === 2 && reading.most === 2);
  assert.equal(same.most, 1);
});
