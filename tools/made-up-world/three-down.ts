import { mkdirSync } from 'node:fs';
import type { Environment } from '../../src/environment/index.ts';
import type { Exchange } from '../../src/http/index.ts';
import { HistoryDatabase } from '../../src/monitor/history/database.ts';
import { addFlip } from '../../src/monitor/history/incidents.ts';
import { bucketOf } from '../../src/monitor/history/latencies.ts';
import { DAY, HOUR } from '../../src/monitor/history/rollups.ts';
import { addRun } from '../../src/monitor/history/runs.ts';
import { enterScenario } from '../../src/monitor/history/scenarios.ts';
import { historyFile } from '../../src/monitor/index.ts';
import { startMonitor } from '../../src/monitor/status-page/server.ts';
import type { ScenarioResult } from '../../src/run/index.ts';
import type { AreaId } from '../../src/service/index.ts';
import { fakeEnvironment, fakeExchange, fakeResult, quickSettings } from '../../src/testing/monitor/fakes.ts';
import { seeded } from '../../src/testing/random-numbers.ts';

const titles: Readonly<Record<string, readonly string[]>> = {
  friends: ['block, then list, then unblock', 'block twice', 'who blocked me', 'list in pages'],
  stories: ['love, then unlove', 'love twice', 'fetch options, then report', 'report with a comment'],
  gameDesign: ['clone type', 'clone between two clients'],
  profile: ['avatar add, then update', 'update profile', 'get friend profile', 'profile with every field'],
  features: ['evaluate a flag that exists', 'evaluate a flag with default', 'evaluate in two contexts'],
  storage: ['delete by id', 'delete twice'],
} satisfies Partial<Record<AreaId, readonly string[]>>;
const scenarios = Object.entries(titles).flatMap(([area, all]) => all.map((title) => [title, area as AreaId] as const));

interface Failure {
  readonly reason: string;
  readonly status: number;
  readonly operation: Exchange['operation'];
}

export type World = Awaited<ReturnType<typeof threeDown>>;

/** A monitor in an empty folder, with a year's history of two environments and three scenarios that are down now; it runs no scenario. */
export async function threeDown(data: string) {
  const environments = [fakeEnvironment('made-up-production'), fakeEnvironment('made-up-staging')] as const;
  const names = environments.map(({ name }) => name);
  mkdirSync(data, { recursive: true });
  makeHistory(historyFile(data), names);
  const running = await startMonitor({ environments, scenarios: [], settings: quickSettings(data), say: () => {} });
  const { recorder } = running.monitor;
  const all = names.flatMap((environment) =>
    scenarios.map(([title, area]) => ({ environment, title, area, effect: 'read' as const })),
  );
  recorder.enterAll(all, Date.now());
  const now = Date.now();
  const run = (environment: Environment, first: ScenarioResult) => ({
    environment,
    observed: { first },
    planned: now,
    intervalMs: 60_000,
  });
  const passed = (environment: Environment, title: string, area: AreaId) =>
    run(environment, fakeResult('passed', now, { title, area, durationMs: 20, exchanges: [fakeExchange({ area })] }));
  const failed = (environment: Environment, title: string, area: AreaId, failure: Failure) =>
    run(environment, fakeResult('failed', now, { title, area, ...evidence(environment, area, failure) }));
  const [production, staging] = environments;
  const broken = { reason: 'documented: it succeeds (2xx) — 500 Internal Server Error', status: 500 };
  const reason =
    'documented: the list mentions a friend just blocked — "b7c1…" not found in 14 entries (after 2,000 ms)';
  for (const one of [
    ...environments.flatMap((each) => scenarios.map(([title, area]) => passed(each, title, area))),
    failed(production, 'love, then unlove', 'stories', { ...broken, operation: 'love' }),
    failed(production, 'love twice', 'stories', { ...broken, operation: 'love' }),
    failed(staging, 'block, then list, then unblock', 'friends', { reason, status: 200, operation: 'listBlocked' }),
  ])
    recorder.record(one, now);
  return running;
}

function evidence({ name, addresses }: Environment, area: AreaId, { reason, status, operation }: Failure) {
  const url = `${addresses[area]}v1/made-up`;
  const failing = fakeExchange({
    area,
    operation,
    request: { method: 'GET', url, headers: {}, correlation: {} },
    response: {
      status,
      statusText: 'Internal Server Error',
      headers: [],
      body: { bytes: 2, text: `{"made-up":"${name}"}`, json: { ok: false, problem: '' } },
    },
  });
  return { reason, curl: `curl -sS '${url}' -H 'Authorization: bearer ***'`, failing, exchanges: [failing] };
}

const MINUTE = 60_000;
const DAYS = 365;
/** Days with a roll-up for each hour. */
const HOUR_DAYS = 8;

/** Fills a history as if each scenario had run every minute for a year: some are slower, and sometimes one is down for 20 minutes. */
function makeHistory(file: string, environments: readonly string[]) {
  const now = Date.now();
  const today = Math.floor(now / DAY) * DAY;
  const start = today - (DAYS - 1) * DAY;
  const db = new HistoryDatabase(file);
  db.run('PRAGMA synchronous = OFF');
  const random = seeded(7);
  const rollUp = (scenario: number, size: number, from: number, level: number, bad: number) => {
    const runs = Math.ceil(Math.min(size, now - from) / MINUTE);
    const counts = { runs, judged: runs, good: runs - bad, degraded: 0, retried: bad };
    db.insert('rollup', { ...counts, scenario, size, start: from, latency: histograms[level] ?? {} });
  };
  for (const environment of environments)
    db.transaction(() => {
      for (const [order, [title, area]] of scenarios.entries()) {
        const { id } = enterScenario(db, { environment, title, area, effect: 'read' }, start);
        const standing = '{"down":false,"contrary":0,"wasUp":true}';
        db.run('UPDATE scenario SET lastJudged = ?, standing = ? WHERE id = ?', now - MINUTE, standing, id);
        for (let day = start; day < now; day += DAY) {
          const isOutage = random() < 0.02 && day < today;
          rollUp(id, DAY, day, order % 8, isOutage ? 20 : 1);
          for (let hour = day; today - day < HOUR_DAYS * DAY && hour < Math.min(day + DAY, now); hour += HOUR)
            rollUp(id, HOUR, hour, (order % 8) + Math.floor(random() * 3), 0);
          if (!isOutage) continue;
          const at = day + Math.floor(random() * 23) * HOUR;
          const cause = {
            kind: 'operation',
            address: `https://${area.toLowerCase()}.${environment}.example/`,
          } as const;
          const of = { scenario: { environment, title }, area, verdict: 'failed', cause } as const;
          const reason = 'assumed: the operation succeeds (2xx) — 503 Service Unavailable';
          addFlip(db, id, { ...of, from: 'up', to: 'down', since: at, steady: at, at, grade: 'assumed', reason });
          const end = at + 20 * MINUTE;
          addFlip(db, id, { ...of, from: 'down', to: 'up', since: end, steady: end, at: end });
        }
        for (let at = now - HOUR + order * 2_000; at < now; at += MINUTE) {
          const run = { planned: at, started: at, ms: msOf(order % 8), phases: phasesOf(order % 8) };
          addRun(db, id, { ...run, verdict: 'passed', evidence: 'up', status: 200 });
        }
      }
    });
  db.close();
}

/** The median latency of a level, in ms: each is a fifth above the one below. */
function msOf(level: number): number {
  return 13 * 1.2 ** level;
}

function phasesOf(level: number) {
  const ms = msOf(level);
  return { dns: ms * 0.04, connect: ms * 0.09, tls: ms * 0.17, processing: ms * 0.6, transfer: ms * 0.1 };
}

/** Of each level: a histogram of an hour, as the monitor keeps it. */
const histograms = Array.from({ length: 10 }, (_, level) => {
  const random = seeded(level + 1);
  const counts: Record<number, number> = {};
  for (let run = 0; run < 60; run++) {
    const bucket = bucketOf(msOf(level) * (0.7 + random() * 0.8) * (random() < 0.03 ? 3 : 1));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
});
