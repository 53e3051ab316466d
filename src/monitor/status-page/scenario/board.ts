import type { Verdict } from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import { areaIds, areaTitle } from '../../../spec/index.ts';
import { lastRuns } from '../../history/runs.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import type { RunRecorder } from '../../recording/run-recorder.ts';
import type { Span } from '../../status/uptime.ts';
import {
  countsText,
  type EnvironmentView,
  type GroupView,
  isBad,
  type ScenarioFigures,
  type ScenarioView,
  type Shown,
  scenarioPath,
  shownOf,
  tallyOf,
  worst,
} from '../view.ts';
import { figuresOf } from './figures.ts';

/** Figures older than this are read again: windows move even if nothing happens. */
const OLD_MS = 600_000;

/** Longest time that one request spends on reading figures, in ms: the rest follows in the background. */
const READING_MS = 8;

interface Seen {
  /** Of the environment as recorded, and of its figures. */
  readonly version: number;
  readonly figures: number;
  readonly environment: EnvironmentView;
  readonly views: readonly ScenarioView[];
}

interface Kept {
  readonly version: number;
  readonly at: number;
  readonly figures: ScenarioFigures;
}

/**
 * The state and the figures of every monitored scenario, in memory. States are those of the recorder at any moment; figures are read
 * one scenario at a time, so that no page ever reads the history of all of them.
 */
export class Board {
  readonly #recorder: RunRecorder;
  readonly #environments: readonly Environment[];
  readonly #kept = new Map<number, Kept>();
  readonly #paths = new Map<number, string>();
  readonly #views = new Map<number, ScenarioView>();
  /** How often figures of each environment were read. */
  readonly #figures = new Map<string, number>();
  readonly #seen = new Map<string, Seen>();
  readonly #verdicts = new Map<number, { readonly version: number; readonly verdict: Verdict | undefined }>();

  constructor(recorder: RunRecorder, environments: readonly Environment[]) {
    this.#recorder = recorder;
    this.#environments = environments;
  }

  get scenarios(): readonly KnownScenario[] {
    return this.#recorder.scenarios;
  }

  /** The scenario as it stands now. */
  current(known: KnownScenario): KnownScenario {
    return this.#recorder.scenario(known);
  }

  version(known: KnownScenario): number {
    return this.#recorder.version(known);
  }

  /** The monitored scenarios of the environments of which something was recorded since the versions in `seen`, which it brings up to date. */
  changedSince(seen: Map<string, number>): KnownScenario[] {
    return this.#environments.flatMap(({ name }) => {
      const version = this.#recorder.environmentVersion(name);
      if (seen.get(name) === version) return [];
      seen.set(name, version);
      return this.#recorder.scenariosIn(name);
    });
  }

  /** The same object as long as nothing changed: thousands of new ones for each page would keep the garbage collector busy. */
  view(known: KnownScenario): ScenarioView {
    const figures = this.#kept.get(known.id)?.figures;
    const shown = this.#shown(known);
    const before = this.#views.get(known.id);
    if (before?.known === known && before.figures === figures && before.shown === shown) return before;
    const view = {
      known,
      path: this.#path(known),
      shown,
      ...(shown === 'skipped' && !known.standing.judged ? { neverRan: true } : {}),
      ...(figures ? { figures } : {}),
    };
    this.#views.set(known.id, view);
    return view;
  }

  find(environment: string, name: string): ScenarioView | undefined {
    const path = `/scenario/${environment}/${name}`;
    const known = this.#recorder.scenariosIn(environment).find((one) => this.#path(one) === path);
    return known && this.view(known);
  }

  /** Every environment, the same object as before where its lines look the same; `known` of its scenarios may be older then. */
  environments(now: number): EnvironmentView[] {
    return this.#environments.map(({ name }) => {
      const maintenance = this.#recorder.calendar.at(name, now);
      const before = this.#seen.get(name);
      const version = this.#recorder.environmentVersion(name);
      const figures = this.#figures.get(name) ?? 0;
      const isSame = before?.version === version && before.figures === figures;
      if (isSame && before.environment.maintenance?.to === maintenance?.to) return before.environment;
      const views = this.#recorder.scenariosIn(name).map((known) => this.view(known));
      const environment =
        before && isAlike(before, views, maintenance) ? before.environment : environmentView(name, views, maintenance);
      this.#seen.set(name, { version, figures, environment, views });
      return environment;
    });
  }

  /** The views with their figures, as far as those that are missing can be read in a moment. */
  filled(views: readonly ScenarioView[], now: number): ScenarioView[] {
    const end = performance.now() + READING_MS;
    return views.map((view) => {
      if (view.figures || performance.now() > end) return view;
      const known = this.current(view.known);
      this.read(known, now);
      return this.view(known);
    });
  }

  /** Whether runs were recorded since the figures were read, or they are old. */
  isStale(known: KnownScenario, now: number): boolean {
    const kept = this.#kept.get(known.id);
    return !kept || kept.version !== this.version(known) || Math.abs(now - kept.at) > OLD_MS;
  }

  read(known: KnownScenario, now: number): ScenarioFigures {
    const figures = figuresOf(this.#recorder.db, known, now);
    this.#kept.set(known.id, { version: this.version(known), at: now, figures });
    this.#figures.set(known.environment, (this.#figures.get(known.environment) ?? 0) + 1);
    return figures;
  }

  /** Made once: thousands of them for each page would take milliseconds. */
  #path(known: KnownScenario): string {
    const path = this.#paths.get(known.id) ?? scenarioPath(known);
    this.#paths.set(known.id, path);
    return path;
  }

  /** Only a series of runs that could not be judged needs the last verdict. */
  #shown(known: KnownScenario): Shown {
    return shownOf(known, known.standing.unjudgedSince === undefined ? undefined : this.#lastVerdict(known));
  }

  #lastVerdict(known: KnownScenario): Verdict | undefined {
    const version = this.version(known);
    const before = this.#verdicts.get(known.id);
    if (before?.version === version) return before.verdict;
    const verdict = lastRuns(this.#recorder.db, known.id, 1)[0]?.verdict;
    this.#verdicts.set(known.id, { version, verdict });
    return verdict;
  }
}

function environmentView(name: string, views: readonly ScenarioView[], maintenance: Span | undefined): EnvironmentView {
  const byArea = Map.groupBy(views, ({ known }) => known.area);
  return {
    name,
    ...groupView(views),
    tally: tallyOf(views),
    ...(maintenance ? { maintenance } : {}),
    areas: [...areaIds, 'all' as const].flatMap((id) => {
      const scenarios = byArea.get(id);
      return scenarios ? [{ id, title: areaTitle(id), ...groupView(scenarios), scenarios }] : [];
    }),
  };
}

function groupView(views: readonly ScenarioView[]): GroupView {
  return { shown: worst(views.map(({ shown }) => shown)), isBad: views.some(isBad), counts: countsText(views) };
}

function isAlike(
  { environment, views: before }: Seen,
  views: readonly ScenarioView[],
  maintenance: Span | undefined,
): boolean {
  return (
    environment.maintenance?.to === maintenance?.to &&
    before.length === views.length &&
    views.every((view, index) => {
      const { known, shown, figures, neverRan } = before[index] ?? view;
      return (
        known.id === view.known.id && shown === view.shown && figures === view.figures && neverRan === view.neverRan
      );
    })
  );
}
