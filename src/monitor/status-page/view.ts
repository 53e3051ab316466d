import { counted, type Environment } from '../../config/index.ts';
import { slugOf } from '../../serving/index.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import { isBadStatus, statusOf } from '../status/status.ts';
import type { Span } from '../status/uptime.ts';

/** The displayed states of a scenario, the gravest first: its status, or `unknown` if the last runs could not be judged. */
export const states = {
  down: { word: 'Down', colour: '#cf222e', component: 'major_outage' },
  unjudged: { word: 'Not judged', colour: '#9a6700', component: 'degraded_performance' },
  degraded: { word: 'Degraded', colour: '#9a6700', component: 'degraded_performance' },
  unknown: { word: 'Unknown', colour: '#59636e', component: 'operational' },
  pending: { word: 'Not run yet', colour: '#59636e', component: 'operational' },
  up: { word: 'Up', colour: '#1a7f37', component: 'operational' },
  skipped: { word: 'Skipped', colour: '#59636e', component: 'operational' },
} as const;

export type Shown = keyof typeof states;

export const shownStates = Object.keys(states) as readonly Shown[];

export interface ScenarioView {
  readonly known: KnownScenario;
  readonly shown: Shown;
  /** Its environment lacks what it needs, and always did. */
  readonly neverRan?: boolean;
}

/** What is counted of a scenario. */
type State = Pick<ScenarioView, 'shown' | 'neverRan'>;

export interface EnvironmentView {
  readonly name: string;
  readonly maintenance?: Span | undefined;
  readonly scenarios: readonly ScenarioView[];
}

type Recorded = Pick<RunRecorder, 'scenarios' | 'calendar'>;

/** The current state of every monitored scenario, by environment and area. */
export function environmentViews(
  { scenarios, calendar }: Recorded,
  environments: readonly Pick<Environment, 'name'>[],
  now: number,
): EnvironmentView[] {
  const byEnvironment = Map.groupBy(scenarios.monitored, ({ environment }) => environment);
  return environments.map(({ name }) => {
    const views = (byEnvironment.get(name) ?? []).map(viewOf);
    const sorted = views.toSorted((a, b) => areas.indexOf(a.known.area) - areas.indexOf(b.known.area));
    return { name, maintenance: calendar.at(name, now), scenarios: sorted };
  });
}

const areas = [...areaIds, 'all'] as readonly (AreaId | 'all')[];

export function viewOf(known: KnownScenario): ScenarioView {
  const status = statusOf(known.standing);
  const shown = isBadStatus(status) || known.standing.unjudgedSince === undefined ? status : 'unknown';
  return { known, shown, neverRan: shown === 'skipped' };
}

/** The scenario of an environment that has this title, or this slug. */
export function findScenario(
  { scenarios }: Recorded,
  { environment, name }: Readonly<Record<string, string | undefined>>,
): ScenarioView | undefined {
  const there = scenarios.monitored.filter((one) => one.environment === environment);
  const known = there.find(({ title }) => title === name) ?? there.find(({ title }) => slugOf(title) === name);
  return known && viewOf(known);
}

/** The path holds a title that isn't ASCII unchanged, because two titles in Chinese have the same slug. */
export function scenarioPath({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `/scenario/${environment}/${/^[ -~]*$/.test(title) ? slugOf(title) : encodeURIComponent(title)}`;
}

/** Whether the scenario needs attention; pages list such scenarios first. */
export function isBad({ shown, neverRan }: State): boolean {
  return shown === 'skipped' ? !neverRan : shown !== 'up' && shown !== 'pending';
}

/** The gravest state of some scenarios. */
export function worstOf(all: readonly State[]): Shown {
  return shownStates.find((shown) => all.some((one) => one.shown === shown)) ?? 'pending';
}

/** `3 down, 9 up`. */
export function countsText(all: readonly State[]): string {
  const counts = Map.groupBy(all, ({ shown }) => shown);
  return shownStates
    .flatMap((shown) => (counts.has(shown) ? `${counts.get(shown)?.length} ${states[shown].word.toLowerCase()}` : []))
    .join(', ');
}

/** Says how all are; those whose environment always lacked what they need are counted apart. */
export function overallText(all: readonly State[]): string {
  const tried = all.filter(({ neverRan }) => !neverRan);
  const total = tried.length;
  const count = (state: Shown) => tried.filter(({ shown }) => shown === state).length;
  const bad = (['down', 'unjudged', 'degraded', 'unknown'] as const).find((state) => count(state) > 0);
  if (bad) return `${count(bad)} of ${total} scenarios ${states[bad].word.toLowerCase()}`;
  if (count('pending') > 0) return `${count('up')} of ${total} scenarios up, the others have not run yet`;
  if (total === 0) return 'No scenarios are monitored';
  const skipped = count('skipped');
  if (skipped > 0) return `${total - skipped} of ${counted(total, 'scenario')} up, ${skipped} can no longer run`;
  const neverRan = all.length > total ? `, ${all.length - total} skipped` : '';
  return `${total === 1 ? '1 scenario' : `All ${total} scenarios`} up${neverRan}`;
}
