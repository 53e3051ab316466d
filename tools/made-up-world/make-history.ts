import { HistoryDatabase } from '../../src/monitor/history/database.ts';
import { addFlip } from '../../src/monitor/history/flips.ts';
import { withLatency } from '../../src/monitor/history/histogram.ts';
import { DAY, HOUR } from '../../src/monitor/history/rollups.ts';
import { addFailure, addRun } from '../../src/monitor/history/runs.ts';
import { enterScenario } from '../../src/monitor/history/scenarios.ts';
import { seeded } from '../../src/testing/random-numbers.ts';
import { madeUpScenarios } from './scenario-list.ts';

const MINUTE = 60_000;

export interface HistoryAsked {
  readonly environments: readonly string[];
  /** Days with a roll-up each. */
  readonly days: number;
  /** Days with 24 roll-ups each. */
  readonly hourDays: number;
  /** Hours with a row for each run. */
  readonly runHours: number;
  readonly now: number;
}

/**
 * Fills a history as if each scenario had run every minute: latencies that rise towards the evening, a slow week, outages of 20 minutes
 * about seven times a year. Few histograms are made, and used again and again. Returns the number of runs that it stands for.
 */
export function makeHistory(file: string, { environments, days, hourDays, runHours, now }: HistoryAsked): number {
  const db = new HistoryDatabase(file);
  db.run('PRAGMA synchronous = OFF');
  const random = seeded(7);
  const today = Math.floor(now / DAY) * DAY;
  const start = today - (days - 1) * DAY;
  for (const environment of environments)
    db.transaction(() => {
      for (const [order, [title, area]] of madeUpScenarios.entries()) {
        const { id } = enterScenario(db, { environment, title, area, effect: 'read' }, start);
        const standing = '{"judged":true,"down":{"on":false,"contrary":0},"degraded":{"on":false,"contrary":0}}';
        db.run('UPDATE scenario SET last_judged = ?, standing = ? WHERE id = ?', now - MINUTE, standing, id);
        const base = 2 + (order % 8);
        for (let day = start; day < now; day += DAY) {
          const isOutage = random() < 0.02 && day < today;
          const slow = Math.floor((today - day) / DAY / 7) % 9 === 4 ? 2 : 0;
          rollUp(db, id, DAY, day, Math.min(1_440, Math.ceil((now - day) / MINUTE)), isOutage ? 20 : 1, base + slow);
          if (isOutage) outage(db, id, { environment, title, area, at: day + Math.floor(random() * 23) * HOUR });
          if (today - day < hourDays * DAY)
            for (let hour = day; hour < Math.min(day + DAY, now); hour += HOUR) {
              const busy = Math.round(2 * Math.sin((((hour / HOUR) % 24) - 12) / 4) + random() * 1.5);
              const runs = Math.min(60, Math.ceil((now - hour) / MINUTE));
              rollUp(db, id, HOUR, hour, runs, 0, Math.max(0, base + slow + busy));
            }
        }
        for (let at = now - runHours * HOUR + order * 2_000; at < now; at += MINUTE) {
          const ms = msOf(base) * (0.8 + random() * 0.5);
          addRun(db, id, {
            planned: at,
            started: at,
            ms,
            verdict: 'passed',
            evidence: 'up',
            status: 200,
            phases: phasesOf(ms),
          });
        }
      }
    });
  db.close();
  return environments.length * madeUpScenarios.length * days * 1_440;
}

/** The median latency of a level, in ms: each is a fifth above the one below. */
function msOf(level: number): number {
  return 9 * 1.2 ** level;
}

function phasesOf(ms: number) {
  return { dns: ms * 0.04, connect: ms * 0.09, tls: ms * 0.17, processing: ms * 0.6, transfer: ms * 0.1 };
}

const histograms = new Map<string, string>();

/** A histogram of so many runs at a level, as the monitor keeps it. */
function histogram(level: number, runs: number): string {
  const key = `${level} ${runs}`;
  const known = histograms.get(key);
  if (known) return known;
  const random = seeded(level + 1);
  let text = '';
  for (let run = 0; run < runs; run++)
    text = withLatency(text, msOf(level) * (0.7 + random() * 0.8) * (random() < 0.03 ? 1 + 3 * random() : 1));
  histograms.set(key, text);
  return text;
}

function rollUp(
  db: HistoryDatabase,
  id: number,
  size: number,
  start: number,
  runs: number,
  bad: number,
  level: number,
): void {
  const ms = Object.fromEntries(
    Object.entries(phasesOf(msOf(level))).map(([name, value]) => [name, Number((value * runs).toFixed(1))]),
  );
  db.run(
    'INSERT INTO rollup (scenario, size, start, runs, judged, good, degraded, retried, skipped, missed, latency, phases) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 0, ?, ?)',
    id,
    size,
    start,
    runs,
    runs,
    runs - bad,
    Math.floor(bad / 2),
    histogram(level, runs),
    JSON.stringify({ runs, ms }),
  );
}

function outage(
  db: HistoryDatabase,
  id: number,
  {
    environment,
    title,
    area,
    at,
  }: { environment: string; title: string; area: (typeof madeUpScenarios)[number][1]; at: number },
): void {
  const reason = 'assumed: the operation succeeds (2xx) — 503 Service Unavailable';
  const base = {
    scenario: { environment, title },
    area,
    verdict: 'failed',
    cause: { kind: 'address', address: `https://${area.toLowerCase()}.${environment}.example/` },
  } as const;
  const down = addFlip(db, id, {
    ...base,
    from: 'up',
    to: 'down',
    since: at,
    at: at + 10_000,
    grade: 'assumed',
    reason,
  });
  addFlip(db, id, { ...base, from: 'down', to: 'up', since: at + 20 * MINUTE, at: at + 21 * MINUTE });
  addFailure(db, id, { run: -down.id, started: at, verdict: 'failed', grade: 'assumed', reason });
}
