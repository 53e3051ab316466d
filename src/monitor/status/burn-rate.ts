/** First attempts in a window: how many were judged, and how many of those were bad. */
export interface IndicatorCounts {
  readonly judged: number;
  readonly bad: number;
}

export const burnWindows = ['5m', '30m', '1h', '6h', '3d'] as const;

export type BurnWindow = (typeof burnWindows)[number];

/** The SRE workbook's windows (chapter 5): the long one shows that it matters, the short one that it continues. */
const rules = [
  { severity: 'fast', factor: 14.4, long: '1h', short: '5m' },
  { severity: 'fast', factor: 6, long: '6h', short: '30m' },
  { severity: 'slow', factor: 1, long: '3d', short: '6h' },
] as const;

/** Fewer bad runs in the long window don't count: at one run per minute, a single one would already be 14.4×. */
const LEAST_BAD = 3;

export type Burn = 'fast' | 'slow' | 'none';

/** The rate at which bad runs use up the error budget: 1 uses exactly all of it over its period. */
export function burnRate({ judged, bad }: IndicatorCounts, slo: number): number {
  return judged === 0 ? 0 : bad / judged / (1 - slo);
}

/** Whether the error budget of an objective (0 to 1, e.g. 0.999) burns too fast to last. */
export function burnOf(counts: Readonly<Record<BurnWindow, IndicatorCounts>>, slo: number): Burn {
  const burning = rules.find(
    ({ factor, long, short }) =>
      counts[long].bad >= LEAST_BAD &&
      counts[short].bad > 0 &&
      burnRate(counts[long], slo) >= factor &&
      burnRate(counts[short], slo) >= factor,
  );
  return burning?.severity ?? 'none';
}
