/** What Prometheus sends with each scrape. */
export const SCRAPE_TIMEOUT_HEADER = 'x-prometheus-scrape-timeout-seconds';

/** The longest that a probe takes, and what it takes without a scrape timeout; in ms. */
export const LONGEST_MS = 120_000;

/**
 * How long a probe may take, in ms: the scrape timeout less `offsetMs`, but at least half of it. A header that is absent, or isn't
 * a positive number of seconds, counts as the longest time.
 */
export function timeLimitMs(header: string | undefined, offsetMs: number): number {
  const text = header?.trim() ?? '';
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (seconds === 0) return LONGEST_MS;
  const ms = Math.min(seconds * 1_000, LONGEST_MS);
  return Math.max(ms - offsetMs, ms / 2);
}
