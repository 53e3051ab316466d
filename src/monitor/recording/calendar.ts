import { Cron } from 'croner';
import type { Environment, MaintenanceRule } from '../../config/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import type { Announced } from '../history/incidents.ts';
import type { Span } from '../status/uptime.ts';

/** What is announced long ago explains nothing any more. */
const KEPT_MS = 30 * 86_400_000;

/** When notices are kept back: the windows of the environments' files, and what people announce. A restart knows both. */
export class Calendar {
  readonly #db: HistoryDatabase;
  readonly #environments: ReadonlyMap<string, Environment>;
  /** By environment: a pipeline announces each deploy, perhaps to hundreds, and all are asked for every second. */
  readonly #onceWritten: (change: () => void) => void;
  readonly #written: Map<string, readonly Announced[]>;

  /** `onceWritten`: takes what memory takes in once the transaction is over. */
  constructor(db: HistoryDatabase, environments: readonly Environment[], onceWritten: (change: () => void) => void) {
    this.#db = db;
    this.#onceWritten = onceWritten;
    this.#environments = new Map(environments.map((environment) => [environment.name, environment]));
    const sql = `SELECT id, environment, start, until, why, person, ended_by AS endedBy FROM maintenance
      WHERE until >= ? ORDER BY id`;
    const written = db.all(sql, Date.now() - KEPT_MS).map((row) => db.fields<Announced>(row));
    this.#written = Map.groupBy(written, ({ environment }) => environment);
  }

  /** The window that an environment is in, if any; of several, the one that ends last. */
  at(name: string, now: number): Span | undefined {
    const planned = this.#planned(name, now);
    const spans = this.#inForce(name, now).map(({ start, until }) => ({ from: start, to: until }));
    return [...(planned ? [planned] : []), ...spans].sort((a, b) => b.to - a.to)[0];
  }

  quietAt(now: number): ReadonlySet<string> {
    return new Set([...this.#environments.keys()].filter((name) => this.at(name, now)));
  }

  /** The open window of each environment, and its next ones. */
  planned(now: number): { readonly environment: string; readonly span: Span }[] {
    return [...this.#environments].flatMap(([environment, { monitoring }]) => {
      const open = this.at(environment, now);
      const next = nextMaintenance(monitoring.maintenance, now, 2);
      return [...(open ? [open] : []), ...next].map((span) => ({ environment, span }));
    });
  }

  /** To be called within a transaction, like `end`. */
  announce(environments: readonly string[], of: Omit<Announced, 'id' | 'environment' | 'endedBy'>): void {
    for (const environment of environments) this.#write(environment, of);
  }

  /** Ends what is in force; returns the environments of which something was. */
  end(environments: readonly string[], person: string, now: number): string[] {
    return environments.filter((environment) => {
      const ended = this.#inForce(environment, now);
      for (const { id } of ended)
        this.#db.run('UPDATE maintenance SET until = ?, ended_by = ? WHERE id = ?', now, person, id);
      const all = this.#of(environment).map((one) =>
        ended.includes(one) ? { ...one, until: now, endedBy: person } : one,
      );
      this.#onceWritten(() => this.#written.set(environment, all));
      return ended.length > 0;
    });
  }

  /** The settings may have changed: what was written of open windows holds until now. To be called within a transaction. */
  begin(now: number): void {
    this.#db.run(`UPDATE maintenance SET until = ?1 WHERE start < ?1 AND until > ?1 AND person = ''`, now);
    for (const write of this.unwritten(now)) write();
  }

  /** Windows of the files that are open and not written down, to be written within a transaction: later settings must not rewrite the past. */
  unwritten(now: number): (() => void)[] {
    return [...this.#environments.keys()].flatMap((name) => {
      const span = this.#planned(name, now);
      const isWritten = this.#of(name).some(
        (one) => isPlanned(one) && one.start === span?.from && one.until === span.to,
      );
      if (!span || isWritten) return [];
      return () => this.#write(name, { start: span.from, until: span.to, why: '', person: '' });
    });
  }

  /** Announcements of these environments from `since` on, in order. */
  of(environments: readonly string[], since: number): Announced[] {
    const all = environments.flatMap((environment) => this.#of(environment));
    return all.filter((one) => !isPlanned(one) && one.start >= since).sort((a, b) => a.id - b.id);
  }

  #planned(name: string, now: number): Span | undefined {
    return maintenanceAt(this.#environments.get(name)?.monitoring.maintenance ?? [], now);
  }

  #write(environment: string, of: Omit<Announced, 'id' | 'environment'>): void {
    const row = { ...of, environment };
    const added = { ...row, id: this.#db.insert('maintenance', row) };
    this.#onceWritten(() => this.#written.set(environment, [...this.#of(environment), added]));
  }

  #of(environment: string): readonly Announced[] {
    return this.#written.get(environment) ?? [];
  }

  #inForce(environment: string, now: number): Announced[] {
    return this.#of(environment).filter((one) => !isPlanned(one) && one.start <= now && now < one.until);
  }
}

/** A window of the environment's file, which nobody announced. */
function isPlanned({ person }: Announced): boolean {
  return person === '';
}

export function pastMaintenance(db: HistoryDatabase, environment: string): Span[] {
  const sql = 'SELECT start AS "from", until AS "to" FROM maintenance WHERE environment = ? ORDER BY start';
  return db.all(sql, environment) as unknown as Span[];
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
