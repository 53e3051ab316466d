import type { Effect } from '../../spec/index.ts';
import { type Exchange, header } from './exchange.ts';
import { rateLimitState } from './rate-limit-headers.ts';

/** A Retry-After in ms from `now` (RFC 9110, 10.2.3: seconds, or a date); `undefined` if it is neither. */
export function retryAfterMs(value: string, now: number): number | undefined {
  if (isSeconds(value)) return Number(value) * 1000;
  // Date.parse accepts almost anything, even "-1"; an HTTP date begins with its weekday.
  const at = /^\s*[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The same for people: `7 s`, or the text as sent. */
export function retryAfterText(value: string): string {
  return isSeconds(value) ? `${value.trim()} s` : value;
}

function isSeconds(value: string): boolean {
  return /^\d+$/.test(value.trim());
}

/**
 * How long to wait before repeating a request; `undefined`: don't repeat it. Only 429 and 503
 * with a time (Retry-After, or RateLimit headers) are waited for, and no longer than `limitMs`. After a 503 the request may have been carried out, so an
 * irreversible one isn't repeated.
 */
export function pauseBeforeRetry(exchange: Exchange, effect: Effect, now: number, limitMs: number): number | undefined {
  const { response } = exchange;
  if (!response || (response.status !== 429 && response.status !== 503)) return undefined;
  if (response.status === 503 && effect === 'irreversible') return undefined;
  const pause = askedPause(exchange, now);
  return pause === undefined || pause > limitMs ? undefined : pause;
}

/** The pause that a 429 or 503 asks for, in ms, however long; `undefined` without one. */
export function askedPause(exchange: Exchange, now: number): number | undefined {
  const { response } = exchange;
  if (!response || (response.status !== 429 && response.status !== 503)) return undefined;
  const value = header(response, 'retry-after');
  if (value !== undefined) return retryAfterMs(value, now);
  const state = rateLimitState(exchange, now);
  return state?.remaining === 0 ? state.resetMs : undefined;
}
