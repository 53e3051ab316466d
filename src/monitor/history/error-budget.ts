import { type Burn, burnOf, burnWindows, type IndicatorCounts } from '../status/burn-rate.ts';
import type { HistoryDatabase } from './database.ts';
import type { RunCounts } from './rollups.ts';
import { indicatorCounts } from './runs.ts';
import type { KnownScenario } from './scenarios.ts';

/** A scenario's standing against the service-level objective. */
export interface ErrorBudget {
  /** 0 to 1. */
  readonly slo: number;
  /** Of 30 days. */
  readonly month: IndicatorCounts;
  readonly burn: Burn;
}

const MINUTE = 60_000;
const lengths = { '5m': 5, '30m': 30, '1h': 60, '6h': 360, '3d': 4_320 } as const;

/** `month` comes from the roll-ups of 30 days; the shorter windows are counted run by run. */
export function errorBudgetOf(
  db: HistoryDatabase,
  { id }: KnownScenario,
  month: Pick<RunCounts, 'judged' | 'good'>,
  slo: number,
  now: number,
): ErrorBudget {
  const since = (minutes: number) => indicatorCounts(db, id, now - minutes * MINUTE);
  const counts = Object.fromEntries(burnWindows.map((window) => [window, since(lengths[window])]));
  return {
    slo,
    month: { judged: month.judged, bad: month.judged - month.good },
    burn: burnOf(counts as Parameters<typeof burnOf>[0], slo),
  };
}
