import { HistoryDatabase } from '../../../src/monitor/history/database.ts';
import { addFlip } from '../../../src/monitor/history/flips.ts';
import { addLatency, encodeLatencies, newLatencies } from '../../../src/monitor/history/histogram.ts';
import { DAY, HOUR } from '../../../src/monitor/history/rollups.ts';
import { addFailure, addRun, keep } from '../../../src/monitor/history/runs.ts';
import { enterScenario } from '../../../src/monitor/history/scenarios.ts';
import type { AreaId } from '../../../src/spec/index.ts';
import { seeded } from '../../made-up-world/seeded.ts';

const MINUTE = 60_000;
const titles: readonly [string, AreaId][] = [
  ['block, then list, then unblock', 'friends'],
  ['block two, then unblock one', 'friends'],
  ['who blocked me', 'friends'],
  ['love, then unlove', 'stories'],
  ['fetch options, then report', 'stories'],
  ['clone type', 'gameDesign'],
  ['avatar add, then update', 'profile'],
  ['update profile', 'profile'],
  ['get friend profile', 'profile'],
  ['evaluate a flag that exists', 'features'],
  ['evaluate a flag with default', 'features'],
  ['delete by id', 'storage'],
];

/**
 * Fills a history like one year of monitoring: one run per minute, raw for 30 days, rolled up before; one in a thousand
 * fails, and some days have an outage. Returns the number of runs that the year represents.
 */
export function makeUpYear(file: string, environments: readonly string[], now: number, days = 365): number {
  const db = new HistoryDatabase(file);
  let runs = 0;
  const random = seeded(7);
  const start = Math.floor(now / HOUR) * HOUR - days * DAY;
  for (const environment of environments)
    for (const [title, area] of titles)
      db.transaction(() => {
        const { id } = enterScenario(db, { environment, title, area, effect: 'read' }, start);
        db.run(
          'UPDATE scenario SET last_judged = ?, standing = ? WHERE id = ?',
          now - MINUTE,
          '{"judged":true,"down":{"on":false,"contrary":0},"degraded":{"on":false,"contrary":0}}',
          id,
        );
        const base = 8 + random() * 60;
        let day = newLatencies();
        let [inDay, badInDay] = [0, 0];
        for (let hour = start; hour < now; hour += HOUR) {
          const latencies = newLatencies();
          let bad = 0;
          const isOutage = random() < 0.0008;
          for (let at = hour; at < Math.min(hour + HOUR, now); at += MINUTE) {
            const ms = base * (0.7 + random() * 0.8) + (random() < 0.02 ? base * 8 * random() : 0);
            const isBad = (isOutage && at - hour < 20 * MINUTE) || random() < 0.001;
            if (isBad) bad++;
            addLatency(latencies, ms);
            runs++;
            if (at > now - keep.runs) {
              const run = addRun(db, id, {
                planned: at,
                started: at,
                ms,
                verdict: isBad ? 'failed' : 'passed',
                ...(isBad && !isOutage ? { retry: 'passed' as const } : {}),
                evidence: isBad && isOutage ? 'down' : 'up',
                status: isBad ? 500 : 200,
                phases: { connect: 1, processing: ms - 2, transfer: 1 },
              });
              if (isBad) addFailure(db, id, failure(run, at));
            } else if (isBad) addFailure(db, id, failure(-runs, at));
          }
          if (isOutage) outage(db, id, environment, title, area, hour);
          rollUp(db, id, HOUR, hour, 60, bad, encodeLatencies(latencies));
          day.add(latencies);
          inDay += 60;
          badInDay += bad;
          if ((hour + HOUR) % DAY === 0 || hour + HOUR >= now) {
            rollUp(db, id, DAY, Math.floor(hour / DAY) * DAY, inDay, badInDay, encodeLatencies(day));
            day = newLatencies();
            [inDay, badInDay] = [0, 0];
          }
        }
      });
  db.close();
  return runs;
}

function failure(run: number, started: number) {
  return {
    run,
    started,
    verdict: 'failed' as const,
    grade: 'assumed' as const,
    reason: 'assumed: the operation succeeds (2xx) — 500 Internal Server Error',
    curl: "curl -sS 'https://friends.staging.test/v1/friends/block/0/100' -H 'Authorization: bearer ***'",
  };
}

function rollUp(
  db: HistoryDatabase,
  id: number,
  size: number,
  start: number,
  runs: number,
  bad: number,
  latency: string,
): void {
  db.run(
    'INSERT OR REPLACE INTO rollup (scenario, size, start, runs, judged, good, degraded, retried, skipped, missed, latency) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 0, ?)',
    id,
    size,
    start,
    runs,
    runs,
    runs - bad,
    Math.floor(bad / 2),
    latency,
  );
}

function outage(db: HistoryDatabase, id: number, environment: string, title: string, area: AreaId, at: number): void {
  const base = {
    scenario: { environment, title },
    area,
    verdict: 'failed',
    cause: { kind: 'address', address: `https://${area}.${environment}.test/` },
  } as const;
  addFlip(db, id, {
    ...base,
    from: 'up',
    to: 'down',
    since: at,
    at: at + 10_000,
    grade: 'assumed',
    reason: 'assumed: the operation succeeds (2xx) — 500 Internal Server Error',
  });
  addFlip(db, id, { ...base, from: 'down', to: 'up', since: at + 20 * MINUTE, at: at + 21 * MINUTE });
}
