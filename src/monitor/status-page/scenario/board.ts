import type { Environment } from '../../../config/index.ts';
import { slugOf } from '../../../serving/index.ts';
import { areaIds, areaTitle } from '../../../spec/index.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import type { RunRecorder } from '../../recording/run-recorder.ts';
import { type EnvironmentView, type ScenarioFigures, type ScenarioView, shownOf } from '../view.ts';
import { figuresOf } from './figures.ts';

/** Figures older than this are read again: windows move even if nothing happens. */
const OLD_MS = 600_000;

/** Longest time that one request spends on reading figures, in ms: the rest follows in the background. */
const READING_MS = 8;

/** Between two scenarios whose figures are read in the background, and between looks for them; in ms. */
const PACE_MS = 200;
const LOOK_MS = 1_000;

/** The figures of a scenario, as it was known then. */
interface Read {
  readonly of: KnownScenario;
  readonly at: number;
  readonly figures: ScenarioFigures;
}

/**
 * The state and the figures of every monitored scenario. States are those of the recorder at any moment; figures are read one scenario at
 * a time, so that no page ever reads the history of all of them.
 */
export class Board {
  readonly #recorder: RunRecorder;
  readonly #environments: readonly Environment[];
  readonly #read = new Map<number, Read>();
  #queue: KnownScenario[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(recorder: RunRecorder, environments: readonly Environment[]) {
    this.#recorder = recorder;
    this.#environments = environments;
  }

  find(environment: string, name: string): ScenarioView | undefined {
    const isAsked = (one: KnownScenario) => one.environment === environment && slugOf(one.title) === name;
    const known = this.#recorder.scenarios.monitored.find(isAsked);
    return known && this.#view(known);
  }

  environments(now: number): EnvironmentView[] {
    const { scenarios: known, calendar } = this.#recorder;
    const byEnvironment = Map.groupBy(known.monitored, ({ environment }) => environment);
    return this.#environments.map(({ name }) => {
      const views = (byEnvironment.get(name) ?? []).map((one) => this.#view(one));
      const byArea = Map.groupBy(views, ({ known: { area } }) => area);
      const areas = [...areaIds, 'all' as const].flatMap((id) => {
        const scenarios = byArea.get(id);
        return scenarios ? [{ id, title: areaTitle(id), scenarios }] : [];
      });
      const scenarios = areas.flatMap((area) => area.scenarios);
      return { name, maintenance: calendar.at(name, now), areas, scenarios };
    });
  }

  /** The views with their figures, as far as those that are missing can be read in a moment. */
  filled(views: readonly ScenarioView[], now: number): ScenarioView[] {
    const end = performance.now() + READING_MS;
    return views.map((view) => (view.figures || performance.now() > end ? view : this.#readFigures(view.known, now)));
  }

  /** Reads figures in the background: of what has run since, and of what is old. */
  start(): void {
    this.#timer = setTimeout(() => this.#next(), 0).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #next(): void {
    if (this.#queue.length === 0) this.#queue = this.#stale(Date.now());
    const known = this.#queue.shift();
    let wait = known ? PACE_MS : LOOK_MS;
    try {
      const isFirst = known && !this.#read.has(known.id);
      const start = performance.now();
      if (known) this.#readFigures(known, Date.now());
      // The first round takes a third of the time that there is: pages wait for it.
      if (isFirst) wait = 2 * (performance.now() - start);
    } catch {
      // The recorder reports trouble with the history; the figures stay those of before.
    }
    this.#timer = setTimeout(() => this.#next(), wait).unref();
  }

  /** Each record makes another object of what is known of a scenario. */
  #stale(now: number): KnownScenario[] {
    return this.#recorder.scenarios.monitored.filter((known) => {
      const read = this.#read.get(known.id);
      return read?.of !== known || Math.abs(now - read.at) > OLD_MS;
    });
  }

  #readFigures(scenario: KnownScenario, now: number): ScenarioView {
    const known = this.#recorder.scenarios.get(scenario);
    this.#read.set(known.id, { of: known, at: now, figures: figuresOf(this.#recorder.db, known, now) });
    return this.#view(known);
  }

  #view(known: KnownScenario): ScenarioView {
    const { figures } = this.#read.get(known.id) ?? {};
    const shown = shownOf(known);
    return { known, shown, figures, neverRan: shown === 'skipped' && !known.standing.judged };
  }
}
