import type { NoticeKind, Told } from '../status/due-notice.ts';
import type { HistoryDatabase } from './database.ts';

/** What each channel was last told about each incident: by incident, then by channel. */
export function toldSoFar(db: HistoryDatabase): Map<number, Map<string, Told>> {
  const all = new Map<number, Map<string, Told>>();
  const entry = (incident: number) => {
    const known = all.get(incident) ?? new Map<string, Told>();
    all.set(incident, known);
    return known;
  };
  const last = db.all(
    'SELECT incident, channel, kind, created FROM notice WHERE id IN (SELECT max(id) FROM notice WHERE incident > 0 GROUP BY incident, channel)',
  );
  for (const { incident, channel, kind, created } of last)
    entry(Number(incident)).set(String(channel), {
      hits: new Set(),
      last: { kind: kind as NoticeKind, at: Number(created) },
    });
  for (const { incident, channel, hit } of db.all('SELECT incident, channel, hit FROM told')) {
    const known = entry(Number(incident)).get(String(channel));
    (known?.hits as Set<number> | undefined)?.add(Number(hit));
  }
  return all;
}

/** Writes down what a channel knows now, where it knew `before`. */
export function saveTold(
  db: HistoryDatabase,
  { incident, channel }: { readonly incident: number; readonly channel: string },
  before: ReadonlySet<number>,
  now: ReadonlySet<number>,
): void {
  const change = (sql: string, hits: ReadonlySet<number>) => {
    // In one statement: there can be thousands.
    if (hits.size > 0) db.run(sql, incident, channel, JSON.stringify([...hits]));
  };
  change(
    'DELETE FROM told WHERE incident = ? AND channel = ? AND hit IN (SELECT value FROM json_each(?))',
    before.difference(now),
  );
  change(
    'INSERT OR IGNORE INTO told (incident, channel, hit) SELECT ?, ?, value FROM json_each(?)',
    now.difference(before),
  );
}
