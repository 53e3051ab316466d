import { counted } from '../../config/index.ts';
import { slugOf } from '../../serving/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import { isBadStatus, statusOf } from '../status/status.ts';
import type { Span, Uptime } from '../status/uptime.ts';

/** The figures of a scenario's line, few enough to be kept for every scenario. */
export interface ScenarioFigures {
  /** A `DayCode` for each of the last 90 days, oldest first. */
  readonly days: string;
  /** Of 90 days. */
  readonly quarter: Uptime;
  /** Of 30 days. */
  readonly month: Uptime;
  /** Of the last 24 hours, in ms. */
  readonly p95?: number;
  /** Whether the last run passed on its second attempt. */
  readonly isRetried: boolean;
}

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
  /** Absent until they were read the first time. */
  readonly figures?: ScenarioFigures | undefined;
  /** Its environment lacks what it needs, and always did. */
  readonly neverRan?: boolean;
}

/** What is counted of a scenario. */
type State = Pick<ScenarioView, 'shown' | 'neverRan'>;

export interface AreaView {
  readonly id: AreaId | 'all';
  readonly title: string;
  readonly scenarios: readonly ScenarioView[];
}

export interface EnvironmentView {
  readonly name: string;
  readonly maintenance?: Span | undefined;
  readonly areas: readonly AreaView[];
  readonly scenarios: readonly ScenarioView[];
}

/** Whether it needs a look: a page opens with it. */
export function isBad({ shown, neverRan }: State): boolean {
  return shown === 'skipped' ? !neverRan : shown !== 'up' && shown !== 'pending';
}

export function isDown({ shown }: ScenarioView): boolean {
  return shown === 'down';
}

export function shownOf({ standing }: Pick<KnownScenario, 'standing'>): Shown {
  const status = statusOf(standing);
  return isBadStatus(status) || standing.unjudgedSince === undefined ? status : 'unknown';
}

export function scenariosOf(environments: readonly EnvironmentView[]): ScenarioView[] {
  return environments.flatMap(({ scenarios }) => scenarios);
}

/** A title that isn't ASCII stands there itself: what a slug leaves of two in Chinese is the same. */
export function scenarioPath({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `/scenario/${environment}/${/^[ -~]*$/.test(title) ? slugOf(title) : encodeURIComponent(title)}`;
}

/** The gravest state of some scenarios. */
export function worstOf(all: readonly State[]): Shown {
  return shownStates.find((shown) => all.some((one) => one.shown === shown)) ?? 'pending';
}

/** One without scenarios has not run yet. */
export function worstOfAll(environments: readonly EnvironmentView[]): Shown {
  return worstOf(environments.map(({ scenarios }) => ({ shown: worstOf(scenarios) })));
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
