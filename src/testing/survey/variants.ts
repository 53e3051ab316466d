import type { Forward, Replied, WireRequest } from '../../fault-injection/wire/act.ts';
import type { WireVariant } from '../servers/wire-proxy.ts';

const json = (status: number, value: unknown): Replied => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** The status is always 200, and only a number tells a success (0) from a refusal: all responses have one shape. */
export const mute200: WireVariant = async (asked, forward) => {
  const { status } = await forward(asked);
  return json(200, { code: status < 300 ? 0 : status, message: 'done' });
};

/** Every response is an HTML page, like that of a proxy in between. */
export const html: WireVariant = async () => ({
  status: 200,
  type: 'text/html',
  body: '<html><body>Sign in</body></html>',
});

/** The first `count` requests are throttled, with a Retry-After in seconds or as a date. */
export function throttling(count: number, retryAfter: string): WireVariant & { refused: number } {
  const variant = async (asked: WireRequest, forward: Forward): Promise<Replied> => {
    if (variant.refused >= count) return forward(asked);
    variant.refused++;
    return { ...json(429, {}), headers: { 'retry-after': retryAfter } };
  };
  variant.refused = 0;
  return variant;
}
