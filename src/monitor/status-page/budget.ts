import type { Database } from '../history/database.ts';
import type { Counts } from '../history/rollups.ts';
import { indicatorCounts } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import { type Burn, burnOf, burnRate, burnWindows, type IndicatorCounts } from '../status/burn-rate.ts';
import { count, percent, share } from './format.ts';
import { html, type Markup } from './html.ts';

/** A scenario's standing against the service-level objective. */
export interface Budget {
  /** 0 to 1. */
  readonly slo: number;
  /** Of 30 days. */
  readonly month: IndicatorCounts;
  readonly burn: Burn;
}

const MINUTE = 60_000;
const lengths = { '5m': 5, '30m': 30, '1h': 60, '6h': 360, '3d': 4_320 } as const;

/** `month` comes from the roll-ups of 30 days; the shorter windows are counted run by run. */
export function budgetOf(
  db: Database,
  { id }: KnownScenario,
  month: Pick<Counts, 'judged' | 'good'>,
  slo: number,
  now: number,
): Budget {
  const since = (minutes: number) => indicatorCounts(db, id, now - minutes * MINUTE);
  const counts = Object.fromEntries(burnWindows.map((window) => [window, since(lengths[window])]));
  return {
    slo,
    month: { judged: month.judged, bad: month.judged - month.good },
    burn: burnOf(counts as Parameters<typeof burnOf>[0], slo),
  };
}

const words: Readonly<Record<Burn, string>> = {
  fast: 'burning fast: at this rate it is gone within days',
  slow: 'burning too fast to last 30 days',
  none: 'not burning too fast',
};

export function budgetText({ slo, month, burn }: Budget): Markup {
  const used = burnRate(month, slo);
  return html`<p class="budget">30-day error budget at an objective of ${percent(slo)}: ${used > 1 ? `overspent ${used.toFixed(1)} times` : `${share(used)} used`} (${count(month.bad)} bad of ${count(month.judged)} first attempts); ${words[burn]}.</p>`;
}
