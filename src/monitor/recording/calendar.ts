import { Cron } from 'croner';
import type { Environment, MaintenanceRule } from '../../environment/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import type { Announced } from '../history/incidents.ts';
import type { Span } from '../status/uptime.ts';

/**
 * The maintenance during which the monitor withholds notices: maintenance windows in the environments' files, and maintenance that people
 * announce. The database has both kinds, so they survive a restart; windows of the files are stored when they open.
 */
export class Calendar {
  readonly #db: HistoryDatabase;
  readonly #environments: readonly Environment[];
  /** A span of time in which no maintenance window of the environments' files opens, so `open` has nothing to do. */
  #quiet: Span = { from: 0, to: 0 };

  constructor(db: HistoryDatabase, environments: readonly Environment[]) {
    this.#db = db;
    this.#environments = environments;
  }

  /** The environments that are in maintenance now, each with its window. If it is in several, the one that ends last. */
  at(now: number): ReadonlyMap<string, Span> {
    return new Map(
      this.#inForce(now).map(({ environment, start, until }) => [environment, { from: start, to: until }]),
    );
  }

  /** For each environment: the maintenance window that is open now, if any, and the next two of each rule. */
  planned(now: number): { readonly environment: string; readonly span: Span }[] {
    const inForce = this.at(now);
    return this.#environments.flatMap(({ name, monitoring }) => {
      const open = inForce.get(name);
      const next = nextMaintenance(monitoring.maintenance, now, 2);
      return [...(open ? [open] : []), ...next].map((span) => ({ environment: name, span }));
    });
  }

  announce(environments: readonly string[], of: Omit<Announced, 'id' | 'environment' | 'endedBy'>): void {
    this.#db.transaction(() => {
      for (const environment of environments) this.#db.insert('maintenance', { ...of, environment });
    });
  }

  /** Ends announced maintenance that is active. Returns the environments for which somebody had announced it. */
  end(environments: readonly string[], person: string, now: number): string[] {
    const ended = this.#inForce(now, environments).filter((one) => !isPlanned(one));
    const sql = 'UPDATE maintenance SET until = ?, endedBy = ? WHERE id IN (SELECT value FROM json_each(?))';
    this.#db.run(sql, now, person, JSON.stringify(ended.map(({ id }) => id)));
    return [...new Set(ended.map(({ environment }) => environment))];
  }

  /**
   * Ends the recorded windows of the environments' files that are still open, because the files may have changed. After this, `open`
   * records the windows of the current files.
   */
  begin(now: number): void {
    this.#db.run(`UPDATE maintenance SET until = ?1 WHERE start < ?1 AND until > ?1 AND person = ''`, now);
  }

  /**
   * Records each window of the environments' files when it opens. If somebody changes the files later, the record of the past stays the
   * same.
   */
  open(now: number): void {
    if (now >= this.#quiet.from && now < this.#quiet.to) return;
    const written = this.#inForce(now).filter(isPlanned);
    this.#db.transaction(() => {
      for (const { name: environment, monitoring } of this.#environments) {
        const span = maintenanceAt(monitoring.maintenance, now);
        const isWritten = written.some((one) => one.environment === environment && one.until === span?.to);
        if (span && !isWritten)
          this.#db.insert('maintenance', { environment, start: span.from, until: span.to, why: '', person: '' });
      }
    });
    const openings = this.#environments.flatMap(({ monitoring }) => nextMaintenance(monitoring.maintenance, now, 1));
    this.#quiet = { from: now, to: Math.min(...openings.map(({ from }) => from)) };
  }

  /** Maintenance of these environments that people announced, from `since` on, in order. */
  of(environments: readonly string[], since: number): Announced[] {
    return this.#rows(`person <> '' AND start >= ?1 AND until >= ?1 AND`, since, environments, 'id');
  }

  /** The active windows, in the order in which they end. */
  #inForce(now: number, environments: readonly string[] = this.#environments.map(({ name }) => name)): Announced[] {
    return this.#rows('start <= ?1 AND until > ?1 AND', now, environments, 'until');
  }

  #rows(where: string, at: number, environments: readonly string[], order: string): Announced[] {
    const sql = `SELECT id, environment, start, until, why, person, endedBy FROM maintenance
      WHERE ${where} environment IN (SELECT value FROM json_each(?2)) ORDER BY ${order}`;
    return this.#db.all<Announced>(sql, at, JSON.stringify(environments));
  }
}

/** Whether a window of maintenance comes from the environment's file. Nobody announced it, so `person` is empty. */
function isPlanned({ person }: Announced): boolean {
  return person === '';
}

export function pastMaintenance(db: HistoryDatabase, environment: string): Span[] {
  const sql = 'SELECT start AS "from", until AS "to" FROM maintenance WHERE environment = ? ORDER BY start';
  return db.all(sql, environment);
}

/** The window that contains `now`, if any. If windows overlap, returns the one that ends last. */
export function maintenanceAt(rules: readonly MaintenanceRule[], now: number): Span | undefined {
  const open = rules.flatMap((rule) => {
    const from = lastOpening(rule, now);
    return from !== undefined && now < from + rule.durationMs ? [{ from, to: from + rule.durationMs }] : [];
  });
  return open.sort((a, b) => b.to - a.to)[0];
}

/** The next windows after `now`, at most `count` per rule, in order. */
export function nextMaintenance(rules: readonly MaintenanceRule[], now: number, count: number): Span[] {
  return rules
    .flatMap((rule) =>
      cronOf(rule)
        .nextRuns(count, new Date(now))
        .map((date) => ({ from: date.getTime(), to: date.getTime() + rule.durationMs })),
    )
    .sort((a, b) => a.from - b.from);
}

/** The start of the latest window that may still be open at `now`. */
function lastOpening(rule: MaintenanceRule, now: number): number | undefined {
  // croner leaves out the reference time itself, and counts whole seconds. The extra second includes a window that starts right now.
  const dates = cronOf(rule).previousRuns(2, new Date(now + 1000));
  return dates.map((date) => date.getTime()).find((at) => at <= now);
}

function cronOf({ pattern, timeZone }: MaintenanceRule): Cron {
  return new Cron(pattern, { timezone: timeZone, paused: true });
}
