import type { Manners } from './manners.ts';

/** Counts requests in windows; gives the headers of the next, and whether it is one too many. */
export function rateCounter({ limit, windowMs }: NonNullable<Manners['rate']>) {
  let [window, served] = [0, 0];
  return (): { readonly headers: Readonly<Record<string, string>>; readonly isTooMany: boolean } => {
    const now = Math.floor(Date.now() / windowMs);
    served = now === window ? served + 1 : 1;
    window = now;
    const seconds = String(Math.ceil(((now + 1) * windowMs - Date.now()) / 1_000));
    const isTooMany = served > limit;
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - served)),
      'ratelimit-reset': seconds,
      ...(isTooMany ? { 'retry-after': seconds } : {}),
    };
    return { headers, isTooMany };
  };
}
