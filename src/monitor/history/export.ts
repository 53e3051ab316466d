import type { HistoryDatabase } from './database.ts';
import { boundOf, readLatencies } from './latencies.ts';

const named = 'environment, title AS scenario, area';
const join = 'JOIN scenario ON scenario.id =';

/** The exportable tables with their queries; times are epochs in ms, durations are ms. */
export const exports = {
  runs: `SELECT ${named}, planned, started, ms, verdict, retry, evidence, status, phases FROM run ${join} run.scenario ORDER BY run.id`,
  failures: `SELECT ${named}, started, verdict, retry, grade, reason, curl, exchange FROM failure ${join} failure.scenario ORDER BY run`,
  flips: `SELECT flip.id, ${named}, before, after, since, at, verdict, grade, reason, curl, sentence, cause FROM flip ${join} flip.scenario ORDER BY flip.id`,
  hours: `SELECT ${named}, start, runs, judged, good, degraded, retried, latency FROM rollup ${join} rollup.scenario WHERE size = 3600000 ORDER BY scenario.id, start`,
  days: `SELECT ${named}, start, runs, judged, good, degraded, retried, latency FROM rollup ${join} rollup.scenario WHERE size = 86400000 ORDER BY scenario.id, start`,
  notices: 'SELECT key, incident, channel, kind, created, attempts, sent, given_up, error FROM notice ORDER BY id',
} as const;

export type Exported = keyof typeof exports;

const parsed = ['phases', 'exchange', 'cause', 'latency'];

/** A table as lines with line ends, streamed row by row. */
export function* exportLines(db: HistoryDatabase, what: Exported, format: 'ndjson' | 'csv'): IterableIterator<string> {
  let isFirst = true;
  for (const kept of db.iterate(exports[what])) {
    const row =
      typeof kept.latency === 'string' ? { ...kept, latency: JSON.stringify(countsByBound(kept.latency)) } : kept;
    if (format === 'csv') {
      if (isFirst) yield csvLine(Object.keys(row));
      yield csvLine(Object.values(row));
    } else {
      const entries = Object.entries(row).map(([name, value]) => [
        name,
        parsed.includes(name) && typeof value === 'string' ? db.json(value) : value,
      ]);
      yield `${JSON.stringify(Object.fromEntries(entries))}\n`;
    }
    isFirst = false;
  }
}

/** How many runs took no longer than so many ms, and longer than the bound before. */
function countsByBound(text: string): Readonly<Record<string, number>> {
  const sorted = [...readLatencies(text)].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([bucket, count]) => [boundOf(bucket).toPrecision(4), count]));
}

/** RFC 4180; values that a spreadsheet would run as formulas are escaped. */
function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = value === null || value === undefined ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(',')}\r\n`;
}
