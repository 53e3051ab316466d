import { setImmediate } from 'node:timers/promises';
import type { Environment } from '../../config/index.ts';
import { errorBudgetOf } from '../history/error-budget.ts';
import { flips } from '../history/flips.ts';
import { none } from '../history/rollups.ts';
import { lastFailures, lastRuns } from '../history/runs.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { MetricsText } from '../metrics/observations.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { SelfHealth } from '../self-health.ts';
import type { Settings } from '../settings/settings.ts';
import type { GuessCause } from '../status/failed-scenario.ts';
import { maintenanceAt, nextMaintenance } from '../status/maintenance.ts';
import type { Span } from '../status/time-spans.ts';
import { atomFeed } from './atom.ts';
import { type BadgeInput, badgeJson, badgeSvg } from './badge.ts';
import { IncidentDesk } from './incident-desk.ts';
import { incidentsPage } from './incidents-page.ts';
import { layout } from './layout.ts';
import { overallText, overview } from './overview.ts';
import { scenarioPage } from './scenario-page.ts';
import { statusJson } from './status-json.ts';
import { percentilesOf } from './status-summary.ts';
import { Views, worst } from './view.ts';

export interface PagesInput {
  readonly recorder: RunRecorder;
  readonly environments: readonly Environment[];
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly health: () => SelfHealth;
  readonly pageUrl: () => string;
  readonly guessCause: GuessCause;
  /** Epoch, in ms. */
  readonly now: () => number;
}

type Seen = 'all' | 'public';

const RUNS = 50;
const FAILURES = 10;
const INCIDENTS = 100;

/** Every page, as text. */
export class Pages {
  readonly settings: Settings;
  readonly desk: IncidentDesk;
  readonly #input: PagesInput;
  readonly #views: Views;
  #isEnded = false;

  constructor(input: PagesInput) {
    this.settings = input.settings;
    this.#input = input;
    this.desk = new IncidentDesk({
      recorder: input.recorder,
      isWritable: input.settings.token !== undefined,
      guessCause: input.guessCause,
      now: input.now,
    });
    this.#views = new Views(input.recorder, input.environments);
  }

  /** Fills the caches, one scenario at a time, so that the first request doesn't wait for all of them. */
  async warm(): Promise<void> {
    for (const known of this.#input.recorder.scenarios) {
      await setImmediate();
      if (this.#isEnded) return;
      this.#views.scenario(known, this.#input.now());
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  health(): SelfHealth {
    return this.#input.health();
  }

  metrics(): Promise<MetricsText> {
    return this.#input.metrics.text();
  }

  overview(seen: Seen): string {
    const now = this.#input.now();
    const environments = this.#views.environments(now);
    const scenarios = environments.flatMap(({ areas }) => areas.flatMap((area) => area.scenarios));
    const body = overview({ environments, health: this.health(), isPublic: seen === 'public' });
    return layout({ title: `${overallText(scenarios)} · Sextant`, body, path: '/', now });
  }

  scenario(environment: string, title: string, seen: Seen): string | undefined {
    const now = this.#input.now();
    const { db } = this.#input.recorder;
    const view = this.#views.find(environment, title, now);
    if (!view) return undefined;
    const { known, summary } = view;
    const month = summary.windows.find(({ name }) => name === '30 d')?.counts;
    const body = scenarioPage({
      view,
      runs: lastRuns(db, known.id, RUNS),
      failures: lastFailures(db, known.id, FAILURES),
      flips: flips(db, known.id).reverse().slice(0, RUNS),
      percentiles: percentilesOf(db, known, now),
      budget: errorBudgetOf(db, known, month ?? none, this.settings.slo, now),
      isPublic: seen === 'public',
    });
    return layout({ title: `${known.title} · ${known.environment} · Sextant`, body, path: 'other', now });
  }

  incidents(seen: Seen): string {
    const now = this.#input.now();
    const body = incidentsPage({
      incidents: this.#latestIncidents(),
      maintenance: this.#maintenance(now),
      now,
      isPublic: seen === 'public',
    });
    return layout({ title: 'Incidents · Sextant', body, path: '/incidents', now });
  }

  atom(): string {
    return atomFeed(this.#latestIncidents(), this.#input.pageUrl(), this.#input.now());
  }

  status() {
    const now = this.#input.now();
    return statusJson({
      environments: this.#views.environments(now),
      incidents: this.#views.incidents,
      maintenance: this.#maintenance(now),
      pageUrl: this.#input.pageUrl(),
      now,
    });
  }

  /** `staging.svg`, `staging/block-then-list.json`. */
  badge(path: string): { readonly type: string; readonly text: string } | undefined {
    const [, environment, , name, kind] = /^([\w-]+)(\/([\w-]+))?\.(svg|json)$/.exec(path) ?? [];
    const input = environment && this.#badge(environment, name);
    if (!input) return undefined;
    return kind === 'svg'
      ? { type: 'image/svg+xml', text: badgeSvg(input) }
      : { type: 'application/json', text: JSON.stringify(badgeJson(input)) };
  }

  #badge(environment: string, name: string | undefined): BadgeInput | undefined {
    const now = this.#input.now();
    const view = name === undefined ? undefined : this.#views.find(environment, name, now);
    const found = this.#views.environments(now).find((one) => one.name === environment);
    if (!found || (name !== undefined && !view)) return undefined;
    const scenarios = view ? [view] : found.areas.flatMap((area) => area.scenarios);
    const month = scenarios.map(({ summary }) => summary.windows.find((window) => window.name === '30 d'));
    const observed = month.reduce((sum, window) => sum + (window?.observedMs ?? 0), 0);
    const down = month.reduce((sum, window) => sum + (window?.downMs ?? 0), 0);
    return {
      label: view ? view.known.title : environment,
      shown: worst(scenarios.map(({ shown }) => shown)),
      ratio: observed > 0 ? 1 - down / observed : undefined,
    };
  }

  #latestIncidents() {
    return [...this.#views.incidents].reverse().slice(0, INCIDENTS);
  }

  #maintenance(now: number): { environment: string; span: Span }[] {
    return this.#input.environments.flatMap(({ name, monitoring: { maintenance } }) => {
      const open = maintenanceAt(maintenance, now);
      return [...(open ? [open] : []), ...nextMaintenance(maintenance, now, 2)].map((span) => ({
        environment: name,
        span,
      }));
    });
  }
}
