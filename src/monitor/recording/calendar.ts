import { Cron } from 'croner';
import type { Environment, MaintenanceRule } from '../../config/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import type { Announced } from '../history/incidents.ts';
import type { Span } from '../status/uptime.ts';

/** An announcement explains nothing after this time. */
const KEPT_MS = 30 * 86_400_000;

/** When notices are kept back: the windows of the environments' files, written down when they open, and what people announce. A restart knows both. */
export class Calendar {
  readonly #db: HistoryDatabase;
  readonly #environments: ReadonlyMap<string, Environment>;
  readonly #onceWritten: (change: () => void) => void;
  /** By environment: a pipeline announces each deploy, perhaps to hundreds, and all are asked for every second. */
  #written: ReadonlyMap<string, readonly Announced[]> = new Map();

  /** `onceWritten` receives each change of memory, to be made after the transaction. */
  constructor(db: HistoryDatabase, environments: readonly Environment[], onceWritten: (change: () => void) => void) {
    this.#db = db;
    this.#onceWritten = onceWritten;
    this.#environments = new Map(environments.map((environment) => [environment.name, environment]));
  }

  /** The window that an environment is in, if any; of several, the one that ends last. */
  at(name: string, now: number): Span | undefined {
    const last = this.#inForce(name, now).sort((a, b) => b.until - a.until)[0];
    return last && { from: last.start, to: last.until };
  }

  quietAt(now: number): ReadonlySet<string> {
    return new Set([...this.#environments.keys()].filter((name) => this.#inForce(name, now).length > 0));
  }

  /** The open window of each environment, and its next ones. */
  planned(now: number): { readonly environment: string; readonly span: Span }[] {
    return [...this.#environments].flatMap(([environment, { monitoring }]) => {
      const open = this.at(environment, now);
      const next = nextMaintenance(monitoring.maintenance, now, 2);
      return [...(open ? [open] : []), ...next].map((span) => ({ environment, span }));
    });
  }

  /** To be called within a transaction, like `end`, `begin` and `open`. */
  announce(environments: readonly string[], of: Omit<Announced, 'id' | 'environment' | 'endedBy'>): void {
    for (const environment of environments) this.#db.insert('maintenance', { ...of, environment });
    this.#onceWritten(() => this.#read(of.start));
  }

  /** Ends what is in force; returns the environments of which something was. */
  end(environments: readonly string[], person: string, now: number): string[] {
    const ended = environments.flatMap((name) => this.#inForce(name, now).filter((one) => !isPlanned(one)));
    for (const { id } of ended)
      this.#db.run('UPDATE maintenance SET until = ?, endedBy = ? WHERE id = ?', now, person, id);
    this.#onceWritten(() => this.#read(now));
    return [...new Set(ended.map(({ environment }) => environment))];
  }

  /** The settings may have changed: what was written of their open windows holds until now. */
  begin(now: number): void {
    this.#db.run(`UPDATE maintenance SET until = ?1 WHERE start < ?1 AND until > ?1 AND person = ''`, now);
    this.#onceWritten(() => this.#read(now));
  }

  /** Writes down the windows of the files that have opened: later settings must not rewrite the past. */
  open(now: number): void {
    const opened = [...this.#environments].flatMap(([environment, { monitoring }]) => {
      const span = maintenanceAt(monitoring.maintenance, now);
      const isWritten = this.#inForce(environment, now).some((one) => isPlanned(one) && one.until === span?.to);
      return span && !isWritten ? [{ environment, start: span.from, until: span.to, why: '', person: '' }] : [];
    });
    for (const row of opened) this.#db.insert('maintenance', row);
    if (opened.length > 0) this.#onceWritten(() => this.#read(now));
  }

  /** Announcements of these environments from `since` on, in order. */
  of(environments: readonly string[], since: number): Announced[] {
    const all = environments.flatMap((environment) => this.#written.get(environment) ?? []);
    return all.filter((one) => !isPlanned(one) && one.start >= since).sort((a, b) => a.id - b.id);
  }

  #read(now: number): void {
    const sql = 'SELECT * FROM maintenance WHERE until >= ? ORDER BY id';
    const written = this.#db.all<Announced>(sql, now - KEPT_MS);
    this.#written = Map.groupBy(written, ({ environment }) => environment);
  }

  #inForce(environment: string, now: number): Announced[] {
    return (this.#written.get(environment) ?? []).filter(({ start, until }) => start <= now && now < until);
  }
}

/** A window of the environment's file, which nobody announced. */
function isPlanned({ person }: Announced): boolean {
  return person === '';
}

export function pastMaintenance(db: HistoryDatabase, environment: string): Span[] {
  const sql = 'SELECT start AS "from", until AS "to" FROM maintenance WHERE environment = ? ORDER BY start';
  return db.all(sql, environment);
}

/** The window that contains `now`, if any; of overlapping windows, the one that ends last. */
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

/** Of each rule, and from one opening to its next: the same is asked for every second. */
const crons = new WeakMap<MaintenanceRule, Cron>();
const between = new WeakMap<MaintenanceRule, Span>();

/** The start of the latest window that may still be open. */
function lastOpening(rule: MaintenanceRule, now: number): number | undefined {
  const known = between.get(rule);
  if (known && now >= known.from && now < known.to) return known.from;
  // croner excludes its reference time and counts whole seconds, so that a window starting right now needs the extra second.
  const dates = cronOf(rule).previousRuns(2, new Date(now + 1000));
  const from = dates.map((date) => date.getTime()).find((at) => at <= now);
  const to = cronOf(rule).nextRun(new Date(now))?.getTime();
  if (from !== undefined && to !== undefined) between.set(rule, { from, to });
  return from;
}

function cronOf(rule: MaintenanceRule): Cron {
  const known = crons.get(rule) ?? new Cron(rule.pattern, { timezone: rule.timeZone, paused: true });
  crons.set(rule, known);
  return known;
}
