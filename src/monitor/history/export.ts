import type { HistoryDatabase } from './database.ts';
import { countsByBound } from './latencies.ts';
import { DAY, HOUR } from './rollups.ts';
import { troubleOf } from './sqlite-trouble.ts';

const of = (table: string, columns: string, where = 'true', order = 'id') =>
  `SELECT environment, title AS scenario, area, ${columns} FROM ${table}
    JOIN scenario ON scenario.id = ${table}.scenario WHERE ${where} ORDER BY ${table}.${order}`;
const rollups = (size: number) =>
  of('rollup', 'start, runs, judged, good, degraded, retried, latency', `size = ${size}`, 'scenario, start');

/** The exportable tables with their queries; times are epochs in ms, durations are ms. */
export const exports = {
  runs: of('run', 'planned, started, ms, verdict, retry, evidence, status, phases'),
  failures: of('run', 'started, verdict, retry, grade, reason, curl, exchange', 'reason IS NOT NULL'),
  flips: of(
    'flip',
    'flip.id, "from" AS before, "to" AS after, since, at, verdict, grade, reason, curl, sentence, cause',
  ),
  hours: rollups(HOUR),
  days: rollups(DAY),
  notices: 'SELECT key, incident, channel, kind, created, attempts, sent, given_up, error FROM notice ORDER BY id',
} as const;

export type Exported = keyof typeof exports;

const parsed = ['phases', 'exchange', 'cause', 'latency'];

/** Yields the lines of a table, each with its line end. Reads row by row, because the whole table may not fit into memory. */
export function* exportLines(db: HistoryDatabase, what: Exported, format: 'ndjson' | 'csv'): IterableIterator<string> {
  let isFirst = true;
  try {
    for (const kept of db.iterate(exports[what])) {
      const isLatency = typeof kept.latency === 'string';
      const row = isLatency ? { ...kept, latency: JSON.stringify(countsByBound(String(kept.latency))) } : kept;
      if (format === 'csv') {
        if (isFirst) yield csvLine(Object.keys(row));
        yield csvLine(Object.values(row));
      } else {
        const entries = Object.entries(row).map(([name, value]) => [
          name,
          parsed.includes(name) && value !== null ? JSON.parse(String(value)) : value,
        ]);
        yield `${JSON.stringify(Object.fromEntries(entries))}\n`;
      }
      isFirst = false;
    }
  } catch (error) {
    throw troubleOf(error, db.file);
  }
}

/** A line of CSV (RFC 4180). Values that a spreadsheet would run as formulas get an apostrophe in front. */
function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = value === null || value === undefined ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(',')}\r\n`;
}
