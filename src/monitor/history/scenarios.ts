import { redact } from '../../client/index.ts';
import type { AreaId, Effect } from '../../spec/index.ts';
import type { ScenarioRef } from '../status/flip.ts';
import { type Standing, unseen } from '../status/status.ts';
import type { HistoryDatabase, Row } from './database.ts';

/** A scenario in the history. */
export interface KnownScenario extends ScenarioRef {
  readonly id: number;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  /** Epoch, in ms. */
  readonly firstRun: number;
  readonly lastJudged?: number;
  readonly standing: Standing;
}

/** What is known of a scenario before its first run. */
export type Described = Pick<KnownScenario, 'environment' | 'title' | 'area' | 'effect'>;

/** Finds a scenario, or adds it with its first run at `now`. */
export function enterScenario(
  db: HistoryDatabase,
  { environment, title, area, effect }: Described,
  now: number,
): KnownScenario {
  db.run(
    `INSERT INTO scenario (environment, title, area, effect, first_run, standing) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (environment, title) DO UPDATE SET area = excluded.area, effect = excluded.effect`,
    environment,
    title,
    area,
    effect,
    now,
    JSON.stringify(unseen),
  );
  // One row: reading all of them for each would take minutes with thousands.
  const row = db.get('SELECT * FROM scenario WHERE environment = ? AND title = ?', redact(environment), redact(title));
  return knownScenario(db, row as Row);
}

export function knownScenarios(db: HistoryDatabase): KnownScenario[] {
  return db.all('SELECT * FROM scenario ORDER BY id').map((row) => knownScenario(db, row));
}

function knownScenario(db: HistoryDatabase, row: Row): KnownScenario {
  return {
    id: row.id as number,
    environment: row.environment as string,
    title: row.title as string,
    area: row.area as AreaId | 'all',
    effect: row.effect as Effect,
    firstRun: row.first_run as number,
    ...(row.last_judged === null ? {} : { lastJudged: row.last_judged as number }),
    standing: db.json(row.standing) as Standing,
  };
}

export function saveStanding(db: HistoryDatabase, id: number, standing: Standing, judgedAt: number | undefined): void {
  db.run(
    'UPDATE scenario SET standing = ?, last_judged = coalesce(?, last_judged) WHERE id = ?',
    JSON.stringify(standing),
    judgedAt ?? null,
    id,
  );
}

/** Names a scenario of an environment. */
export function scenarioKey({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `${environment}\n${title}`;
}
