/** Clocks are corrected by milliseconds all the time; only a clock that went back further was set. */
const CORRECTION_MS = 1_000;

/**
 * Whether so much time has passed since then. After the clock was set back nobody knows, and it counts as passed: a notice that comes early is
 * better than none for a year.
 */
export function hasPassed(ms: number, since: number, now: number): boolean {
  return now >= since + ms || now < since - CORRECTION_MS;
}
