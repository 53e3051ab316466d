import type { Environment } from '../../config/index.ts';
import {
  type Announced,
  addAnnounced,
  announcedFrom,
  endAnnounced,
  noteMaintenance,
  shortenMaintenance,
} from '../history/announced.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { maintenanceAt, nextMaintenance } from '../status/maintenance.ts';
import type { Span } from '../status/uptime.ts';

/** What is announced long ago explains nothing any more. */
const KEPT_MS = 30 * 86_400_000;

const nothingQuiet = { now: Number.NaN, names: new Set<string>() };

interface Announcement extends Pick<Announced, 'kind' | 'area' | 'why' | 'person'> {
  readonly environments: readonly string[];
  readonly forMs: number;
}

/** When notices are kept back: the windows of the environments' files, and what people announce. A restart knows both. */
export class Calendar {
  readonly #db: HistoryDatabase;
  readonly #environments: ReadonlyMap<string, Environment>;
  #announced: Announced[];
  #quiet: { readonly now: number; readonly names: ReadonlySet<string> } = nothingQuiet;

  constructor(db: HistoryDatabase, environments: readonly Environment[]) {
    this.#db = db;
    this.#environments = new Map(environments.map((environment) => [environment.name, environment]));
    this.#announced = announcedFrom(db, Date.now() - KEPT_MS);
  }

  /** The window that an environment is in, if any; of several, the one that ends last. */
  at(name: string, now: number): Span | undefined {
    const planned = maintenanceAt(this.#environments.get(name)?.monitoring.maintenance ?? [], now);
    const spans = this.inForce(now)
      .filter(({ environment, area }) => environment === name && area === undefined)
      .map(({ start, until }) => ({ from: start, to: until }));
    return [...(planned ? [planned] : []), ...spans].sort((a, b) => b.to - a.to)[0];
  }

  isQuiet(environment: string, now: number): boolean {
    return this.#quiet.now === now ? this.#quiet.names.has(environment) : this.at(environment, now) !== undefined;
  }

  /** Kept for the moment: each of thousands of scenarios asks for all environments. */
  quietAt(now: number): ReadonlySet<string> {
    if (this.#quiet.now !== now)
      this.#quiet = { now, names: new Set([...this.#environments.keys()].filter((name) => this.at(name, now))) };
    return this.#quiet.names;
  }

  isPaused(environment: string, area: string, now: number): boolean {
    return this.inForce(now).some(
      (one) => one.kind === 'pause' && one.environment === environment && (one.area ?? area) === area,
    );
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
  announce({ environments, forMs, ...one }: Announcement, now: number): void {
    this.#quiet = nothingQuiet;
    const span = { start: now, until: now + forMs };
    for (const environment of environments)
      this.#announced.push(addAnnounced(this.#db, { ...one, ...span, environment }));
  }

  /** Ends what is in force; returns the environments of which something was. */
  end({ kind, environments, area, person }: Omit<Announcement, 'why' | 'forMs'>, now: number): string[] {
    const isMeant = (one: Announced) =>
      one.kind === kind && environments.includes(one.environment) && (area === undefined || one.area === area);
    const ended = this.inForce(now).filter(isMeant);
    this.#quiet = nothingQuiet;
    for (const one of ended) {
      endAnnounced(this.#db, one, now, person);
      shortenMaintenance(this.#db, one.environment, one.start, now);
    }
    this.#announced = this.#announced.map((one) =>
      ended.includes(one) ? { ...one, until: now, endedBy: person } : one,
    );
    return [...new Set(ended.map(({ environment }) => environment))];
  }

  /** Writes the windows that are open down, so that later settings don't rewrite the past; within a transaction. */
  note(now: number): void {
    for (const name of this.#environments.keys()) {
      const span = this.at(name, now);
      if (span) noteMaintenance(this.#db, name, span);
    }
  }

  /** Announcements of these environments from `since` on, in order. */
  of(environments: readonly string[], since: number): Announced[] {
    return this.#announced.filter(({ environment, start }) => environments.includes(environment) && start >= since);
  }

  /** What is announced and not over. */
  inForce(now: number): Announced[] {
    return this.#announced.filter(({ start, until }) => start <= now && now < until);
  }
}
