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

/** What is kept of a scenario: each is asked for with every page, and there are thousands. */
interface Kept {
  readonly path: string;
  view?: ScenarioView;
  /** The scenario's version at which its figures were read, and when. */
  figuresOf?: { readonly version: number; readonly at: number };
  /** As the last run has it, where that can't be told from the standing. */
  shown?: { readonly version: number; readonly shown: Shown };
}

/** An environment as it was last drawn. */
interface Seen {
  /** Of the environment as recorded, and how often figures of it were read. */
  readonly version: string;
  readonly environment: EnvironmentView;
  readonly views: readonly ScenarioView[];
}

/**
 * The state and the figures of every monitored scenario, in memory. States are those of the recorder at any moment; figures are read
 * one scenario at a time, so that no page ever reads the history of all of them.
 */
export class Board {
  readonly #recorder: RunRecorder;
  readonly #environments: readonly Environment[];
  readonly #kept = new Map<number, Kept>();
  readonly #seen = new Map<string, Seen>();
  /** How often figures of each environment were read. */
  readonly #readings = new Map<string, number>();

  constructor(recorder: RunRecorder, environments: readonly Environment[]) {
    this.#recorder = recorder;
    this.#environments = environments;
  }

  /** Scenarios whose figures are out of date: runs were recorded since they were read, or they are old. */
  stale(now: number): KnownScenario[] {
    return this.#recorder.scenarios.monitored.filter((known) => {
      const read = this.#kept.get(known.id)?.figuresOf;
      return !read || read.version !== this.version(known) || Math.abs(now - read.at) > OLD_MS;
    });
  }

  version(known: KnownScenario): number {
    return this.#recorder.scenarios.version(known);
  }

  /** The monitored scenarios of the environments of which something was recorded since the versions in `seen`, which it brings up to date. */
  changedSince(seen: Map<string, number>): KnownScenario[] {
    const { scenarios } = this.#recorder;
    return this.#environments.flatMap(({ name }) => {
      const version = scenarios.environmentVersion(name);
      if (seen.get(name) === version) return [];
      seen.set(name, version);
      return scenarios.monitoredIn(name);
    });
  }

  /** The same object as long as nothing changed: thousands of new ones for each page would keep the garbage collector busy. */
  view(known: KnownScenario): ScenarioView {
    const kept = this.#of(known);
    const shown = this.#shown(known, kept);
    if (kept.view?.known === known && kept.view.shown === shown) return kept.view;
    const { figures } = kept.view ?? {};
    const neverRan = shown === 'skipped' && !known.standing.judged;
    kept.view = { known, path: kept.path, shown, ...(neverRan ? { neverRan } : {}), ...(figures ? { figures } : {}) };
    return kept.view;
  }

  find(environment: string, name: string): ScenarioView | undefined {
    const path = `/scenario/${environment}/${name}`;
    const known = this.#recorder.scenarios.monitoredIn(environment).find((one) => this.#of(one).path === path);
    return known && this.view(known);
  }

  /** Every environment, the same object as before where its lines look the same; `known` of its scenarios may be older then. */
  environments(now: number): EnvironmentView[] {
    const { scenarios, calendar } = this.#recorder;
    return this.#environments.map(({ name }) => {
      const maintenance = calendar.at(name, now);
      const before = this.#seen.get(name);
      const version = `${scenarios.environmentVersion(name)} ${this.#readings.get(name)} ${maintenance?.to}`;
      if (before?.version === version) return before.environment;
      const views = scenarios.monitoredIn(name).map((known) => this.view(known));
      const isSame = before && isAlike(before, views, maintenance);
      const environment = isSame ? before.environment : environmentView(name, views, maintenance);
      this.#seen.set(name, { version, environment, views });
      return environment;
    });
  }

  /** The views with their figures, as far as those that are missing can be read in a moment. */
  filled(views: readonly ScenarioView[], now: number): ScenarioView[] {
    const end = performance.now() + READING_MS;
    return views.map((view) => (view.figures || performance.now() > end ? view : this.read(view.known, now)));
  }

  /** Reads the figures of a scenario as it stands now. */
  read(scenario: KnownScenario, now: number): ScenarioView {
    const known = this.#recorder.scenarios.get(scenario);
    const figures = figuresOf(this.#recorder.db, known, now);
    const kept = this.#of(known);
    kept.figuresOf = { version: this.version(known), at: now };
    kept.view = { ...this.view(known), figures };
    this.#readings.set(known.environment, (this.#readings.get(known.environment) ?? 0) + 1);
    return kept.view;
  }

  #of(known: KnownScenario): Kept {
    const kept = this.#kept.get(known.id) ?? { path: scenarioPath(known) };
    this.#kept.set(known.id, kept);
    return kept;
  }

  /** Only a series of runs that could not be judged needs the last verdict. */
  #shown(known: KnownScenario, kept: Kept): Shown {
    if (known.standing.unjudgedSince === undefined) return shownOf(known, undefined);
    const version = this.version(known);
    if (kept.shown?.version !== version)
      kept.shown = { version, shown: shownOf(known, lastRuns(this.#recorder.db, known.id, 1)[0]?.verdict) };
    return kept.shown.shown;
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

/** Whether an environment with these lines looks the same. */
function isAlike({ environment, views: before }: Seen, views: readonly ScenarioView[], maintenance: Span | undefined) {
  return (
    environment.maintenance?.to === maintenance?.to &&
    before.length === views.length &&
    views.every(({ known, ...view }, index) => {
      const old = before[index];
      return (
        old?.known.id === known.id &&
        old.shown === view.shown &&
        old.figures === view.figures &&
        old.neverRan === view.neverRan
      );
    })
  );
}
