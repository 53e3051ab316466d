import type { LoggedCall } from '../../scenario/index.ts';

const ranks = { median: 0.5, p95: 0.95 } as const;

export const latencyNames = Object.keys(ranks) as (keyof typeof ranks)[];

export function latencyKey(environment: string, operation: string, name: keyof typeof ranks): string {
  return `${environment}.${operation}.${name}`;
}

/**
 * Median and 95th percentile of each operation in each environment, over calls with a response, as Allure's `*-perf.json` has them: values
 * in ms, times as epochs in ms.
 */
export function latencySamples(calls: readonly LoggedCall[]) {
  const answered = calls.filter(({ status }) => status !== undefined);
  const groups = Map.groupBy(answered, ({ environment, operation }) => `${environment} ${operation}`);
  return [...groups.values()].flatMap((group) => {
    const [{ environment, operation }] = group as [LoggedCall];
    const start = Math.min(...group.map(({ startedAt }) => startedAt));
    const stop = Math.max(...group.map(({ startedAt, durationMs }) => startedAt + durationMs));
    const durations = group.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
    return latencyNames.map((name) => {
      const key = latencyKey(environment, operation, name);
      return { id: key, key, value: nearestRank(durations, ranks[name]), start, stop: Math.round(stop) };
    });
  });
}

/** The nearest-rank percentile of sorted values, to a tenth of a millisecond. */
function nearestRank(sorted: readonly number[], rank: number): number {
  const value = sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] as number;
  return Math.round(value * 10) / 10;
}
