import type { Forward, Replied, WireRequest, WireVariant } from '../../fault-injection/wire/proxy.ts';

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

/** Repeated changes are a 409, for any caller: a test has one caller at a time. */
export function strict(): WireVariant {
  const done = new Set<string>();
  const takesBack: Readonly<Record<string, string>> = { unblock: 'block', unlove: 'love' };
  return async (asked, forward) => {
    const [, name = ''] = /\/(block|unblock|love|unlove)$/.exec(asked.path) ?? [];
    if (asked.method !== 'POST' || name === '') return forward(asked);
    const key = `${takesBack[name] ?? name} ${asked.headers['mm-user-id']} ${asked.body}`;
    const isUndo = name in takesBack;
    const reply = await forward(asked);
    if (reply.status >= 400) return reply;
    if (done.has(key) !== isUndo) return json(409, { error: { code: 'so_already', message: '', requestId: '' } });
    if (isUndo) done.delete(key);
    else done.add(key);
    return reply;
  };
}

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
