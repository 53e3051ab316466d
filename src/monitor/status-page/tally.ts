import { type ScenarioView, shownStates, type Tally } from './view.ts';

const keys = [...shownStates, 'neverRan'] as const;

export function tallyOf(all: Iterable<Pick<ScenarioView, 'shown' | 'neverRan'>>): Tally {
  const counts = none();
  for (const { shown, neverRan } of all) counts[neverRan ? 'neverRan' : shown]++;
  return counts;
}

export function sumOf(tallies: Iterable<Tally>): Tally {
  const counts = none();
  for (const tally of tallies) for (const key of keys) counts[key] += tally[key];
  return counts;
}

/** Those that ran. */
export function totalOf(tally: Tally): number {
  return shownStates.reduce((sum, shown) => sum + tally[shown], 0);
}

function none(): Record<keyof Tally, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<keyof Tally, number>;
}
