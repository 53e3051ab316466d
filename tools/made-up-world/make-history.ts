import { HistoryDatabase } from '../../src/monitor/history/database.ts';
import { addFlip } from '../../src/monitor/history/incidents.ts';
import { DAY, HOUR, withLatency } from '../../src/monitor/history/rollups.ts';
import { addRun } from '../../src/monitor/history/runs.ts';
import { enterScenario } from '../../src/monitor/history/scenarios.ts';
import type { AreaId } from '../../src/spec/index.ts';
import { seeded } from '../../src/testing/random-numbers.ts';

const MINUTE = 60_000;
const DAYS = 365;
/** Days with a roll-up for each hour. */
const HOUR_DAYS = 8;

/** Fills a history as if each scenario had run every minute for a year: some are slower, and sometimes one is down for 20 minutes. */
export function makeHistory(
  file: string,
  environments: readonly string[],
  scenarios: readonly (readonly [string, AreaId])[],
) {
  const now = Date.now();
  const today = Math.floor(now / DAY) * DAY;
  const start = today - (DAYS - 1) * DAY;
  const db = new HistoryDatabase(file);
  db.run('PRAGMA synchronous = OFF');
  const random = seeded(7);
  const rollUp = (scenario: number, size: number, from: number, level: number, bad: number) => {
    const runs = Math.ceil(Math.min(size, now - from) / MINUTE);
    const counts = { runs, judged: runs, good: runs - bad, degraded: 0, retried: bad, skipped: 0, missed: 0 };
    db.insert('rollup', { ...counts, scenario, size, start: from, latency: histogram(level) });
  };
  for (const environment of environments)
    db.transaction(() => {
      for (const [order, [title, area]] of scenarios.entries()) {
        const { id } = enterScenario(db, { environment, title, area, effect: 'read' }, start);
        const standing = '{"judged":true,"down":{"on":false,"contrary":0},"degraded":{"on":false,"contrary":0}}';
        db.run('UPDATE scenario SET last_judged = ?, standing = ? WHERE id = ?', now - MINUTE, standing, id);
        for (let day = start; day < now; day += DAY) {
          const isOutage = random() < 0.02 && day < today;
          rollUp(id, DAY, day, order % 8, isOutage ? 20 : 1);
          for (let hour = day; today - day < HOUR_DAYS * DAY && hour < Math.min(day + DAY, now); hour += HOUR)
            rollUp(id, HOUR, hour, (order % 8) + Math.floor(random() * 3), 0);
          if (!isOutage) continue;
          const at = day + Math.floor(random() * 23) * HOUR;
          const cause = { kind: 'address', address: `https://${area.toLowerCase()}.${environment}.example/` } as const;
          const of = { scenario: { environment, title }, area, verdict: 'failed', cause } as const;
          const reason = 'assumed: the operation succeeds (2xx) — 503 Service Unavailable';
          addFlip(db, id, { ...of, from: 'up', to: 'down', since: at, at, grade: 'assumed', reason });
          const end = at + 20 * MINUTE;
          addFlip(db, id, { ...of, from: 'down', to: 'up', since: end, at: end });
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

const histograms = new Map<number, string>();

/** A histogram of an hour at a level, as the monitor keeps it. */
function histogram(level: number): string {
  const known = histograms.get(level);
  if (known) return known;
  const random = seeded(level + 1);
  let text = '';
  for (let run = 0; run < 60; run++)
    text = withLatency(text, msOf(level) * (0.7 + random() * 0.8) * (random() < 0.03 ? 3 : 1));
  histograms.set(level, text);
  return text;
}
