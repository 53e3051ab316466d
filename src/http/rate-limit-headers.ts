import type { Effect } from '../service/index.ts';
import { type Exchange, type HttpResponse, header } from './exchange.ts';

/**
 * The unit of a reset time depends on its value. Above LEAST_MOMENT_MS it is a Unix time in ms, above LEAST_MOMENT a Unix time in seconds,
 * and otherwise the number of seconds from now.
 */
const [LEAST_MOMENT, LEAST_MOMENT_MS] = [1e9, 1e12];

/**
 * Two clocks are regarded as equal up to this difference, because a `Date` header has whole seconds and its response takes time to arrive.
 */
const SAME_CLOCK_MS = 5_000;

/**
 * The time until further requests are allowed, in ms, if the response says that no request is left: in RateLimit-* headers
 * (draft-ietf-httpapi-ratelimit-headers, all its versions) or X-RateLimit-*. `undefined` if some requests are left, or if the response
 * doesn't say.
 */
export function exhaustedMs({ response }: Exchange, now: number): number | undefined {
  // Every response is checked, and most services send no such header.
  if (!response?.headers.some(([name]) => /rate-?limit/i.test(name))) return undefined;
  const combined = header(response, 'ratelimit') ?? '';
  const of = (part: string, letter: string) => {
    const names = [`ratelimit-${part}`, `x-ratelimit-${part}`, `x-rate-limit-${part}`];
    const own = names.map((name) => header(response, name)).find((value) => value !== undefined);
    const [, inOne] = new RegExp(`\\b(?:${part}|${letter})=(\\d+)`).exec(combined) ?? [];
    return Number.parseFloat(own ?? inOne ?? '');
  };
  const [remaining, reset] = [of('remaining', 'r'), of('reset', 't')];
  if (remaining !== 0 || !(reset >= 0)) return undefined;
  const ms = reset > LEAST_MOMENT_MS ? reset : reset * 1_000;
  return Math.max(0, reset > LEAST_MOMENT ? ms - theirNow(response, now) : ms);
}

/** `now` on the service's clock, because the times in the service's headers refer to that clock. */
function theirNow(response: HttpResponse, now: number): number {
  const theirs = Date.parse(header(response, 'date') ?? '');
  return Math.abs(theirs - now) > SAME_CLOCK_MS ? theirs : now;
}

/** A Retry-After in ms from `now` (RFC 9110, 10.2.3: seconds, or a date); `undefined` if it is neither. */
export function retryAfterMs(value: string, now: number): number | undefined {
  if (isSeconds(value)) return Number(value) * 1000;
  // Date.parse accepts almost anything, even "-1"; an HTTP date begins with its weekday.
  const at = /^\s*[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** A Retry-After for people: `7 s`, or the text as sent. */
export function retryAfterText(value: string): string {
  return isSeconds(value) ? `${value.trim()} s` : value;
}

function isSeconds(value: string): boolean {
  return /^\d+$/.test(value.trim());
}

/** throttled: too many requests, so the service did not carry out this one · busy: the service is down or overloaded, and may have carried it out. */
export function throttlingOf({ response }: Pick<Exchange, 'response'>): 'throttled' | 'busy' | undefined {
  return response?.status === 429 ? 'throttled' : response?.status === 503 ? 'busy' : undefined;
}

/**
 * How long to wait before repeating a request, in ms; `undefined`: don't repeat it.
 * - Only a request whose response is a 429 or 503 is repeated. An irreversible request is not repeated after a 503, because the
 * service may have carried it out.
 * - The pause is the time that the response asks for (Retry-After, or RateLimit headers). If the response asks for none, the pause is
 * `unaskedMs`, if given. The pause is at least `leastMs`.
 * - If the pause would be longer than `limitMs`, the request is not repeated.
 */
export function pauseBeforeRetry(
  exchange: Exchange,
  effect: Effect,
  now: number,
  { leastMs, limitMs, unaskedMs }: { leastMs: number; limitMs: number; unaskedMs?: number | undefined },
): number | undefined {
  const mayBeDone = throttlingOf(exchange) === 'busy' && effect === 'irreversible';
  const asked = mayBeDone ? undefined : (askedPause(exchange, now) ?? unaskedMs);
  const pause = Math.max(leastMs, asked ?? Number.POSITIVE_INFINITY);
  return pause > limitMs ? undefined : pause;
}

/** The pause that a 429 or 503 asks for, in ms, without a limit; `undefined` if it asks for none. */
function askedPause(exchange: Exchange, now: number): number | undefined {
  const { response } = exchange;
  if (!response || !throttlingOf(exchange)) return undefined;
  const value = header(response, 'retry-after');
  if (value !== undefined) return retryAfterMs(value, theirNow(response, now));
  return exhaustedMs(exchange, now);
}
