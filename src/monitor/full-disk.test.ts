import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchOnce } from '../testing/fetch-once.ts';
import { start, until } from '../testing/monitor/watched-service.ts';

test('a full disk is reported, also at /healthz; with free space the monitor continues by itself', async (t) => {
  const { running, said, status } = await start(t);
  await until(async () => (await status()).status.description === 'All 3 scenarios up');
  const { db } = running.monitor.recorder;
  const missed = () => Number(db.get('SELECT total(missed) AS missed FROM rollup WHERE size = 86400000')?.missed);
  // A busy machine may have missed some before.
  const before = missed();
  const health = async () => (await fetchOnce(new URL('/healthz', running.url))).status;
  db.get(`PRAGMA max_page_count = ${db.get('PRAGMA page_count')?.page_count}`);
  await until(async () => (await health()) === 503);
  assert.match(said.join(), /its disk is full.*continues by itself/);
  const runs = () => Number(db.get('SELECT count(*) AS count FROM run')?.count);
  const written = runs();
  await until(() => running.monitor.lost.uncounted >= 5);
  assert.match(running.monitor.health().problems.join(), /\d+ runs could not be recorded/);
  const { runs: lost, uncounted } = running.monitor.lost;
  assert.ok(missed() - before + uncounted >= lost, 'every lost run is counted, or waits to be');
  db.get('PRAGMA max_page_count = 1000000');
  await until(async () => (await health()) === 200);
  assert.ok(runs() > written);
  assert.ok(missed() >= before + 5, `${missed() - before} runs are counted as missed`);
  assert.ok(running.monitor.lost.runs >= 5);
  assert.equal(running.monitor.lost.uncounted, 0);
});

test('the end knows of runs that are lost', async (t) => {
  const { running, stopMonitor, status } = await start(t);
  await until(async () => (await status()).status.description === 'All 3 scenarios up');
  const { db } = running.monitor.recorder;
  db.get(`PRAGMA max_page_count = ${db.get('PRAGMA page_count')?.page_count}`);
  await until(() => running.monitor.lost.runs >= 3);
  await stopMonitor();
  assert.ok(running.monitor.lost.runs >= 3);
});
