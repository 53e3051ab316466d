import type { Effect } from '../../spec/index.ts';
import { type Exchange, header } from '../exchange.ts';

/** A Retry-After in ms from `now` (RFC 9110, 10.2.3: seconds, or a date); `undefined` when it is neither. */
export function retryAfterMs(value: string, now: number): number | undefined {
  if (isSeconds(value)) return Number(value) * 1000;
  // Date.parse takes nearly anything for a date, "-1" for one; an HTTP date begins with its weekday.
  const at = /^\s*[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The same as a person reads it: `7 s`, or what was sent. */
export function retryAfterText(value: string): string {
  return isSeconds(value) ? `${value.trim()} s` : value;
}

function isSeconds(value: string): boolean {
  return /^\d+$/.test(value.trim());
}

/**
 * How long to wait before an answer's request is sent once more; `undefined` when it should not be. Only 429 and 503
 * that name a time are waited for, and no longer than `limitMs`. A 503 leaves open what was done, so what can't be
 * undone isn't repeated after it.
 */
export function pauseBeforeRetry(
  { response }: Exchange,
  effect: Effect,
  now: number,
  limitMs: number,
): number | undefined {
  if (!response || (response.status !== 429 && response.status !== 503)) return undefined;
  if (response.status === 503 && effect === 'irreversible') return undefined;
  const value = header(response, 'retry-after');
  const pause = value === undefined ? undefined : retryAfterMs(value, now);
  return pause === undefined || pause > limitMs ? undefined : pause;
}
