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
  readonly figures?: ScenarioFigures;
  /** Its environment lacks what it needs, and always did. */
  readonly neverRan?: boolean;
}

/** How many scenarios are in each state; those whose environment always lacked what they need are counted apart. */
export type Tally = Readonly<Record<Shown | 'neverRan', number>>;

export interface AreaView {
  readonly id: AreaId | 'all';
  readonly title: string;
  readonly tally: Tally;
  readonly scenarios: readonly ScenarioView[];
}

export interface EnvironmentView {
  readonly name: string;
  readonly tally: Tally;
  readonly maintenance?: Span | undefined;
  readonly areas: readonly AreaView[];
}

/** Whether it needs a look: a page opens with it. */
export function isBad({ shown, neverRan }: Pick<ScenarioView, 'shown' | 'neverRan'>): boolean {
  return shown === 'skipped' ? !neverRan : shown !== 'up' && shown !== 'pending';
}

export function shownOf({ standing }: Pick<KnownScenario, 'standing'>): Shown {
  const status = statusOf(standing);
  return isBadStatus(status) || standing.unjudgedSince === undefined ? status : 'unknown';
}

export function scenariosOf(environments: readonly EnvironmentView[]): ScenarioView[] {
  return environments.flatMap(({ areas }) => areas.flatMap(({ scenarios }) => scenarios));
}

export function scenarioPath({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `/scenario/${environment}/${slugOf(title)}`;
}

const noTally: Tally = { down: 0, unjudged: 0, degraded: 0, unknown: 0, pending: 0, up: 0, skipped: 0, neverRan: 0 };

export function tallyOf(all: readonly Pick<ScenarioView, 'shown' | 'neverRan'>[]): Tally {
  const counts = { ...noTally };
  for (const { shown, neverRan } of all) counts[neverRan ? 'neverRan' : shown]++;
  return counts;
}

export function totalOf(tally: Tally): number {
  return shownStates.reduce((sum, shown) => sum + tally[shown], 0);
}

export function worstOf(tally: Tally): Shown {
  return present(tally)[0] ?? 'pending';
}

export function worstOfAll(environments: readonly EnvironmentView[]): Shown {
  const found = new Set(environments.map(({ tally }) => worstOf(tally)));
  return shownStates.find((shown) => found.has(shown)) ?? 'pending';
}

export function hasBad(tally: Tally): boolean {
  return shownStates.some((shown) => tally[shown] > 0 && isBad({ shown }));
}

/** `3 down, 9 up`. */
export function countsText(tally: Tally): string {
  return present(tally)
    .map((shown) => `${countOf(tally, shown)} ${states[shown].word.toLowerCase()}`)
    .join(', ');
}

/** The states that some are in, the gravest first. */
function present(tally: Tally): Shown[] {
  return shownStates.filter((shown) => countOf(tally, shown) > 0);
}

/** Those that never ran are skipped, too. */
function countOf(tally: Tally, shown: Shown): number {
  return tally[shown] + (shown === 'skipped' ? tally.neverRan : 0);
}
