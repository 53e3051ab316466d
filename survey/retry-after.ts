/** How long a `Retry-After` header asks to wait, in ms from `now` (epoch, ms): seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
