import { type Verdict, verdicts } from '../../client/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import { isBadStatus, statusOf } from '../status/status.ts';
import type { Span } from '../status/time-spans.ts';
import type { ScenarioFigures } from './scenario-figures.ts';

/** The displayed states of a scenario, the gravest first: its status, or `unknown` or `skipped` if the last runs were. */
export const shownStates = ['down', 'unjudged', 'degraded', 'unknown', 'pending', 'up', 'skipped'] as const;

export type Shown = (typeof shownStates)[number];

/** A scenario as a line shows it. */
export interface ScenarioView {
  readonly known: KnownScenario;
  readonly shown: Shown;
  readonly path: string;
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

export function shownOf({ standing }: Pick<KnownScenario, 'standing'>, lastVerdict: Verdict | undefined): Shown {
  const status = statusOf(standing);
  if (isBadStatus(status) || standing.blindSince === undefined) return status;
  return lastVerdict && !verdicts[lastVerdict].ran ? 'skipped' : 'unknown';
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
