import type { Spread } from './drill-spread.ts';
import { rowName, spread as rows } from './readings.ts';
import { type SpreadResult, UNPROVEN } from './spread-score.ts';

/** The problems of a spread: failures on readings alone, and undetected documented faults. */
export function problemsOfSpread({ alone }: Pick<Spread, 'alone'>, results: readonly SpreadResult[]): string[] {
  const alarms = alone.flatMap(({ task, red }) => {
    const [first] = red;
    if (!first) return [];
    const on = rowName(rows[task.row] ?? {});
    const what = `"${first.title}" is ${first.verdict}${red.length > 1 ? `, and ${red.length - 1} more failed,` : ''}`;
    return [`${what} on a correct service (${on}): ${first.reason ?? 'no reason'}`];
  });
  // Every summary lists what is unproven.
  const survivors = results.filter(
    ({ fault, why }) => why !== undefined && why !== UNPROVEN && fault.grade === 'documented',
  );
  return [...alarms, ...survivors.map(({ fault, on, why }) => `${fault.name} is not caught (${why}) on ${on}`)];
}
