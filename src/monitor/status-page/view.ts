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

export const stateWords: Readonly<Record<Shown, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  unjudged: 'Not judged',
  unknown: 'Unknown',
  pending: 'Not run yet',
  skipped: 'Skipped',
};

/** The displayed states of a scenario, the gravest first: its status, or `unknown` if the last runs could not be judged. */
export const shownStates = ['down', 'unjudged', 'degraded', 'unknown', 'pending', 'up', 'skipped'] as const;

export type Shown = (typeof shownStates)[number];

/** A scenario as a line shows it. */
export interface ScenarioView {
  readonly known: KnownScenario;
  readonly shown: Shown;
  /** Absent until they were read the first time. */
  readonly figures?: ScenarioFigures;
  /** Its environment lacks what it needs, and always did. */
  readonly neverRan?: boolean;
}

/** How many scenarios are in each state; those whose environment always lacked what they need are counted apart. */
export interface Tally extends Readonly<Record<Shown, number>> {
  readonly neverRan: number;
}

/** What is shown of scenarios that stand together. */
export interface GroupView {
  /** The worst state. */
  readonly shown: Shown;
  /** Whether any of them needs a look. */
  readonly isBad: boolean;
  /** `3 down, 9 up`. */
  readonly counts: string;
}

export interface AreaView extends GroupView {
  readonly id: AreaId | 'all';
  readonly title: string;
  readonly scenarios: readonly ScenarioView[];
}

export interface EnvironmentView extends GroupView {
  readonly name: string;
  readonly tally: Tally;
  readonly maintenance?: Span;
  readonly areas: readonly AreaView[];
}

/** Whether it needs a look: a page opens with it. */
export function isBad({ shown, neverRan }: Pick<ScenarioView, 'shown' | 'neverRan'>): boolean {
  return shown === 'skipped' ? !neverRan : shown !== 'up' && shown !== 'pending';
}

export function worst(all: readonly Shown[]): Shown {
  const found = new Set(all);
  return shownStates.find((shown) => found.has(shown)) ?? 'pending';
}

export function shownOf({ standing }: Pick<KnownScenario, 'standing'>): Shown {
  const status = statusOf(standing);
  return isBadStatus(status) || standing.unjudgedSince === undefined ? status : 'unknown';
}

export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export function scenarioPath({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `/scenario/${environment}/${slug(title)}`;
}

const keys = [...shownStates, 'neverRan'] as const;

export function tallyOf(all: readonly Pick<ScenarioView, 'shown' | 'neverRan'>[]): Tally {
  const counts = tally(() => 0);
  for (const { shown, neverRan } of all) counts[neverRan ? 'neverRan' : shown]++;
  return counts;
}

export function sumOf(tallies: readonly Tally[]): Tally {
  return tally((key) => tallies.reduce((sum, each) => sum + each[key], 0));
}

function tally(count: (key: keyof Tally) => number): Record<keyof Tally, number> {
  return Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<keyof Tally, number>;
}

/** Those that ran. */
export function totalOf(tally: Tally): number {
  return shownStates.reduce((sum, shown) => sum + tally[shown], 0);
}

/** `3 down, 9 up`. */
export function countsText(all: readonly { readonly shown: Shown }[]): string {
  const counts = new Map<Shown, number>();
  for (const { shown } of all) counts.set(shown, (counts.get(shown) ?? 0) + 1);
  return shownStates
    .flatMap((state) => (counts.has(state) ? `${counts.get(state)} ${stateWords[state].toLowerCase()}` : []))
    .join(', ');
}
