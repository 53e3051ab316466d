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

export type Board = ReturnType<typeof boardOf>;

/**
 * The state and the figures of every monitored scenario. States are those of the recorder at any moment; figures are read one scenario at
 * a time, so that no page ever reads the history of all of them.
 */
export function boardOf(recorder: RunRecorder, environments: readonly Environment[]) {
  const { db, scenarios } = recorder;
  /** The figures of scenarios, as they were known then. */
  const read = new Map<number, { of: KnownScenario; at: number; figures: ScenarioFigures }>();
  let queue: KnownScenario[] = [];
  let timer: NodeJS.Timeout | undefined;
  const viewOf = (known: KnownScenario): ScenarioView => {
    const { figures } = read.get(known.id) ?? {};
    const shown = shownOf(known);
    return { known, shown, figures, neverRan: shown === 'skipped' && !known.standing.judged };
  };
  const readFigures = (scenario: KnownScenario, now: number) => {
    const known = scenarios.get(scenario);
    read.set(known.id, { of: known, at: now, figures: figuresOf(db, known, now) });
    return viewOf(known);
  };
  /** Each record makes another object of what is known of a scenario. */
  const isStale = (known: KnownScenario) => {
    const { of, at = 0 } = read.get(known.id) ?? {};
    return of !== known || Math.abs(Date.now() - at) > OLD_MS;
  };
  const readNext = () => {
    if (queue.length === 0) queue = scenarios.monitored.filter(isStale);
    const known = queue.shift();
    let pause = known ? PACE_MS : LOOK_MS;
    try {
      const isFirst = known && !read.has(known.id);
      const start = performance.now();
      if (known) readFigures(known, Date.now());
      // The first round takes a third of the time that there is: pages wait for it.
      if (isFirst) pause = 2 * (performance.now() - start);
    } catch {
      // The recorder reports trouble with the history; the figures stay those of before.
    }
    timer = setTimeout(readNext, pause).unref();
  };
  return {
    /** The scenario with this title, or with this slug. */
    find(environment: string, name: string): ScenarioView | undefined {
      const there = scenarios.monitored.filter((one) => one.environment === environment);
      const known = there.find(({ title }) => title === name) ?? there.find(({ title }) => slugOf(title) === name);
      return known && viewOf(known);
    },
    environments(now: number): EnvironmentView[] {
      const byEnvironment = Map.groupBy(scenarios.monitored, ({ environment }) => environment);
      return environments.map(({ name }) => {
        const byArea = Map.groupBy((byEnvironment.get(name) ?? []).map(viewOf), ({ known }) => known.area);
        const areas = [...areaIds, 'all' as const].flatMap((id) => {
          const inArea = byArea.get(id);
          return inArea ? [{ id, title: areaTitle(id), scenarios: inArea }] : [];
        });
        const all = areas.flatMap((area) => area.scenarios);
        return { name, maintenance: recorder.calendar.at(name, now), areas, scenarios: all };
      });
    },
    /** The views with their figures, as far as those that are missing can be read in a moment. */
    filled(views: readonly ScenarioView[], now: number): ScenarioView[] {
      const end = performance.now() + READING_MS;
      return views.map((view) => (view.figures || performance.now() > end ? view : readFigures(view.known, now)));
    },
    /** Reads figures in the background: of what has run since, and of what is old. */
    start(): void {
      timer = setTimeout(readNext, 0).unref();
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
