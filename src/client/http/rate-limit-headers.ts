import { type Exchange, header } from './exchange.ts';

/** What a service says of its rate limit: requests left, and the time until there are more, in ms. */
export interface RateLimitState {
  readonly limit: number | undefined;
  readonly remaining: number;
  readonly resetMs: number;
}

/** Larger resets are moments (Unix time), not seconds from now. */
const LEAST_MOMENT = 1e9;

/** The state in RateLimit-* headers (draft-ietf-httpapi-ratelimit-headers, all its versions) or X-RateLimit-*; `undefined` without one. */
export function rateLimitState({ response }: Exchange, now: number): RateLimitState | undefined {
  if (!response) return undefined;
  const combined = header(response, 'ratelimit') ?? '';
  const of = (part: string, letter: string) => {
    const names = [`ratelimit-${part}`, `x-ratelimit-${part}`, `x-rate-limit-${part}`];
    const own = names.map((name) => header(response, name)).find((value) => value !== undefined);
    const [, inOne] = new RegExp(`\\b(?:${part}|${letter})=(\\d+)`).exec(combined) ?? [];
    const number = Number.parseFloat(own ?? inOne ?? '');
    return Number.isFinite(number) && number >= 0 ? number : undefined;
  };
  const [limit, remaining, reset] = [of('limit', 'q'), of('remaining', 'r'), of('reset', 't')];
  if (remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetMs: Math.max(0, reset > LEAST_MOMENT ? reset * 1_000 - now : reset * 1_000) };
}
