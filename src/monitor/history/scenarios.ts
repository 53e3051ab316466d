import { definedFields } from '../../environment/index.ts';
import { redact } from '../../redaction/index.ts';
import type { AreaId, Effect } from '../../service/index.ts';
import { type ScenarioRef, scenarioKey } from '../status/flip.ts';
import { type Standing, unseen } from '../status/status.ts';
import type { HistoryDatabase } from './database.ts';

export interface KnownScenario extends ScenarioRef {
  readonly id: number;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  /** Epoch, in ms. */
  readonly firstRun: number;
  readonly lastJudged?: number;
  readonly standing: Standing;
  /** Interval between runs, in ms; absent if the scenario is not monitored. */
  readonly intervalMs?: number;
}

/** The part of a scenario's record that is known before its first run. */
export type Described = Pick<KnownScenario, 'environment' | 'title' | 'area' | 'effect' | 'intervalMs'>;

/** Finds a scenario in the history. If it is new, adds it with `now` as its first run. */
export function enterScenario(db: HistoryDatabase, described: Described, now: number): KnownScenario {
  const { environment, title, area, effect, intervalMs } = described;
  const sql = `INSERT INTO scenario (environment, title, area, effect, firstRun, standing) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (environment, title) DO UPDATE SET area = excluded.area, effect = excluded.effect`;
  db.run(sql, environment, title, area, effect, now, JSON.stringify(unseen));
  // Reads a single row: with thousands of scenarios, reading all rows for each of them would take minutes.
  const one = 'SELECT * FROM scenario WHERE environment = ? AND title = ?';
  const known = db.get<KnownScenario>(one, redact(environment), redact(title)) as KnownScenario;
  return { ...known, ...definedFields({ intervalMs }) };
}

export function knownScenarios(db: HistoryDatabase): KnownScenario[] {
  return db.all('SELECT * FROM scenario ORDER BY id');
}

export function saveStanding(db: HistoryDatabase, id: number, standing: Standing, judgedAt: number | undefined): void {
  const sql = 'UPDATE scenario SET standing = ?, lastJudged = coalesce(?, lastJudged) WHERE id = ?';
  db.run(sql, JSON.stringify(standing), judgedAt ?? null, id);
}

/**
 * The scenarios of a history, with their current state, in memory: every page needs thousands of them, and reading them would take too
 * long.
 */
export class ScenarioMemory {
  readonly #byKey = new Map<string, KnownScenario>();
  /** The keys of the monitored scenarios. A set keeps the order in which they were added. */
  readonly #monitored = new Set<string>();

  get all(): IterableIterator<KnownScenario> {
    return this.#byKey.values();
  }

  get monitored(): readonly KnownScenario[] {
    return [...this.#monitored].map((key) => this.#byKey.get(key) as KnownScenario);
  }

  isMonitored(ref: ScenarioRef): boolean {
    return this.#monitored.has(scenarioKey(ref));
  }

  find(ref: ScenarioRef): KnownScenario | undefined {
    return this.#byKey.get(scenarioKey(ref));
  }

  get(ref: ScenarioRef): KnownScenario {
    const known = this.find(ref);
    if (!known) throw new Error(`"${ref.title}" of ${ref.environment} is not a known scenario`);
    return known;
  }

  set(known: KnownScenario): void {
    this.#byKey.set(scenarioKey(known), known);
  }

  monitor(known: KnownScenario): void {
    this.set(known);
    this.#monitored.add(scenarioKey(known));
  }
}
