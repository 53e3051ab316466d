import { type Verdict, verdicts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { type AreaId, areaIds, areaTitle } from '../../spec/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { Incident } from '../status/incident.ts';
import { maintenanceAt } from '../status/maintenance.ts';
import { statusOf } from '../status/status.ts';
import type { Span } from '../status/time-spans.ts';
import { type StatusSummary, summariseScenario } from './status-summary.ts';

/** The displayed state of a scenario: its status, or `unknown` or `skipped` if the last runs were. */
export type Shown = 'up' | 'degraded' | 'down' | 'unknown' | 'pending' | 'skipped';

export interface ScenarioView {
  readonly known: KnownScenario;
  readonly shown: Shown;
  readonly path: string;
  readonly isRetried: boolean;
  /** Its environment lacks what it needs, and always did. */
  readonly neverRan?: boolean;
  readonly summary: StatusSummary;
}

export interface AreaView {
  readonly id: AreaId | 'all';
  readonly title: string;
  readonly shown: Shown;
  readonly scenarios: readonly ScenarioView[];
}

export interface EnvironmentView {
  readonly name: string;
  readonly shown: Shown;
  readonly maintenance?: Span;
  readonly areas: readonly AreaView[];
}

const gravity: readonly Shown[] = ['down', 'degraded', 'unknown', 'pending', 'up', 'skipped'];

export function worst(all: readonly Shown[]): Shown {
  return gravity.find((shown) => all.includes(shown)) ?? 'pending';
}

function shownOf({ standing }: KnownScenario, lastVerdict: Verdict | undefined): Shown {
  const status = statusOf(standing);
  if (status === 'down' || status === 'skipped' || standing.blindSince === undefined) return status;
  return lastVerdict && !verdicts[lastVerdict].ran ? 'skipped' : 'unknown';
}

export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Longest life of a summary: windows move even if nothing happens. */
const FRESH_MS = 60_000;

/** The data behind pages, badges and metrics, from the recorder, cached until something changes. */
export class Views {
  readonly #recorder: RunRecorder;
  readonly #environments: readonly Environment[];
  readonly #cache = new Map<number, { version: number; at: number; summary: StatusSummary }>();

  constructor(recorder: RunRecorder, environments: readonly Environment[]) {
    this.#recorder = recorder;
    this.#environments = environments;
  }

  get incidents(): Incident[] {
    return this.#recorder.incidents;
  }

  environments(now: number): EnvironmentView[] {
    return this.#environments.map((environment) => {
      const scenarios = this.#recorder.scenarios
        .filter(({ environment: name }) => name === environment.name)
        .map((known) => this.scenario(known, now));
      const maintenance = maintenanceAt(environment.monitoring.maintenance, now);
      const byArea = Map.groupBy(scenarios, ({ known }) => known.area);
      return {
        name: environment.name,
        shown: worst(scenarios.map(({ shown }) => shown)),
        ...(maintenance ? { maintenance } : {}),
        areas: [...areaIds, 'all' as const].flatMap((id) => {
          const found = byArea.get(id);
          return found
            ? [{ id, title: areaTitle(id), shown: worst(found.map(({ shown }) => shown)), scenarios: found }]
            : [];
        }),
      };
    });
  }

  find(environment: string, name: string, now: number): ScenarioView | undefined {
    const known = this.#recorder.scenarios.find(
      (scenario) => scenario.environment === environment && slug(scenario.title) === name,
    );
    return known && this.scenario(known, now);
  }

  scenario(known: KnownScenario, now: number): ScenarioView {
    const summary = this.#summary(known, now);
    const { lastRun } = summary;
    const shown = shownOf(known, lastRun?.verdict);
    return {
      known,
      summary,
      shown,
      path: `/scenario/${known.environment}/${slug(known.title)}`,
      neverRan: shown === 'skipped' && !known.standing.judged,
      isRetried: lastRun?.retry !== undefined && (lastRun.evidence === 'up' || lastRun.evidence === 'degraded'),
    };
  }

  #summary(known: KnownScenario, now: number): StatusSummary {
    const version = this.#recorder.version(known);
    const cached = this.#cache.get(known.id);
    if (cached && cached.version === version && now - cached.at < FRESH_MS && now >= cached.at) return cached.summary;
    const summary = summariseScenario(this.#recorder.db, known, now);
    this.#cache.set(known.id, { version, at: now, summary });
    return summary;
  }
}
