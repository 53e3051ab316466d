import type { Environment } from '../../environment/index.ts';
import { slugOf } from '../../server/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import { statusOf } from '../status/status.ts';
import { durationText } from '../status/texts.ts';
import type { Span } from '../status/uptime.ts';

/**
 * The states of a scenario on the page, beginning with the gravest. The state is the scenario's status, or `unknown` if the last runs could
 * not be judged.
 */
export const states = {
  down: { word: 'Down', colour: '#cf222e', component: 'major_outage' },
  unjudged: { word: 'Not judged', colour: '#9a6700', component: 'degraded_performance' },
  degraded: { word: 'Degraded', colour: '#9a6700', component: 'degraded_performance' },
  unknown: { word: 'Unknown', colour: '#59636e', component: 'operational' },
  pending: { word: 'Not run yet', colour: '#59636e', component: 'operational' },
  up: { word: 'Up', colour: '#1a7f37', component: 'operational' },
  unproven: { word: 'Unproven', colour: '#59636e', component: 'operational' },
  skipped: { word: 'Skipped', colour: '#59636e', component: 'operational' },
} as const;

export type Shown = keyof typeof states;

export const shownStates = Object.keys(states) as readonly Shown[];

export interface ScenarioView {
  readonly known: KnownScenario;
  readonly shown: Shown;
  /** If no run was judged for a while: words to show instead of the word of the state. */
  readonly word?: string;
}

/** The part of a scenario's view that the functions below need to count scenarios. */
type State = Pick<ScenarioView, 'shown'>;

export interface EnvironmentView {
  readonly name: string;
  readonly maintenance?: Span | undefined;
  readonly scenarios: readonly ScenarioView[];
}

type Recorded = Pick<RunRecorder, 'scenarios' | 'calendar' | 'steady'>;

/** The current state of every monitored scenario, by environment and area. */
export function environmentViews(
  recorder: Recorded,
  environments: readonly Pick<Environment, 'name'>[],
  now: number,
): EnvironmentView[] {
  const byEnvironment = Map.groupBy(recorder.scenarios.monitored, ({ environment }) => environment);
  const maintenance = recorder.calendar.at(now);
  const steady = recorder.steady(now);
  return environments.map(({ name }) => {
    const byArea = Map.groupBy(byEnvironment.get(name) ?? [], ({ area }) => area);
    const sorted = areas.flatMap((area) => byArea.get(area) ?? []);
    const scenarios = sorted.map((known) => viewOf(known, steady));
    return { name, maintenance: maintenance.get(name), scenarios };
  });
}

const areas = [...areaIds, 'all'] as readonly (AreaId | 'all')[];

/** The page shows how old a state is if it is older than this, in ms. A run that is merely slow takes less time. */
const LEAST_MS = 10_000;

/** Ages below this limit are shown in seconds, longer ones in larger units; in ms. */
const IN_SECONDS_MS = 600_000;

/** The view of a scenario. `now` is on the monotonic clock, in ms. */
function viewOf(known: KnownScenario, now: number): ScenarioView {
  const { standing, intervalMs = Number.POSITIVE_INFINITY } = known;
  const { seen = now, unjudgedSince } = standing;
  const status = statusOf(standing);
  const shown = status === 'down' || status === 'unjudged' || unjudgedSince === undefined ? status : 'unknown';
  // If the last runs could not be judged, the monitor did run the scenario, so its state isn't old.
  const ageMs = unjudgedSince === undefined ? now - seen : 0;
  if (ageMs <= Math.max(2 * intervalMs, LEAST_MS)) return { known, shown };
  const age = ageMs < IN_SECONDS_MS ? `${Math.round(ageMs / 1_000)} s` : durationText(ageMs);
  return { known, shown, word: `last seen ${states[shown].word.toLowerCase()} ${age} ago` };
}

/** The scenario of an environment that has this title, or this slug. */
export function findScenario(
  recorder: Recorded,
  { environment, name }: Readonly<Record<string, string | undefined>>,
  now: number,
): ScenarioView | undefined {
  const there = recorder.scenarios.monitored.filter((one) => one.environment === environment);
  const known = there.find(({ title }) => title === name) ?? there.find(({ title }) => slugOf(title) === name);
  return known && viewOf(known, recorder.steady(now));
}

/**
 * The path of a scenario's page. A title that isn't ASCII stays as it is, percent-encoded, because two titles in Chinese would have the same slug.
 */
export function scenarioPath({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `/scenario/${environment}/${/^[ -~]*$/.test(title) ? slugOf(title) : encodeURIComponent(title)}`;
}

/** Whether the scenario could never run in its environment, or has never proved anything there. */
function isLeftOut(shown: Shown): boolean {
  return shown === 'skipped' || shown === 'unproven';
}

/** Whether the scenario needs attention; pages list such scenarios first. */
export function isBad({ shown }: State): boolean {
  return shown !== 'up' && shown !== 'pending' && !isLeftOut(shown);
}

/** The gravest state of some scenarios. */
export function worstOf(all: readonly State[]): Shown {
  return shownStates.find((shown) => all.some((one) => one.shown === shown)) ?? 'pending';
}

/** How many scenarios are in each state: `3 down, 9 up`. */
export function countsText(all: readonly State[]): string {
  const counts = Map.groupBy(all, ({ shown }) => shown);
  // While an area hangs, the monitor runs only one scenario of the area at a time. Scenarios that have not run yet wait for their turn.
  const wordOf = (shown: Shown) => (shown === 'pending' && counts.has('down') ? 'waiting for it' : states[shown].word);
  return shownStates
    .flatMap((shown) => (counts.has(shown) ? `${counts.get(shown)?.length} ${wordOf(shown).toLowerCase()}` : []))
    .join(', ');
}

/** The overall state in words. Scenarios that could never run or prove anything are counted separately. */
export function overallText(all: readonly State[]): string {
  const tried = all.filter(({ shown }) => !isLeftOut(shown));
  const total = tried.length;
  if (total === 0) return 'No scenarios are monitored';
  const worst = worstOf(tried);
  const count = (state: Shown) => tried.filter(({ shown }) => shown === state).length;
  if (worst === 'pending') return `${count('up')} of ${total} scenarios up, the others have not run yet`;
  const waiting = worst === 'down' && count('pending') > 0 ? `, ${count('pending')} waiting` : '';
  if (worst !== 'up') return `${count(worst)} of ${total} scenarios ${states[worst].word.toLowerCase()}${waiting}`;
  const leftOut = countsText(all.filter(({ shown }) => isLeftOut(shown)));
  return `${total === 1 ? '1 scenario' : `All ${total} scenarios`} up${leftOut && `, ${leftOut}`}`;
}
