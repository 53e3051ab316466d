import type { Forward, Replied, WireRequest, WireVariant } from '../../fault-injection/wire/proxy.ts';

const JSON_TYPE = 'application/json';
const json = (status: number, value: unknown): Replied => ({ status, type: JSON_TYPE, body: JSON.stringify(value) });
const parsed = ({ body }: { readonly body: string }) => (body === '' ? null : JSON.parse(body));

/** Every response in an envelope, with its original status. */
export const enveloped: WireVariant = async (asked, forward) => {
  const reply = await forward(asked);
  return reply.status < 300
    ? json(reply.status === 204 ? 200 : reply.status, { ok: true, data: parsed(reply) })
    : json(reply.status, { ok: false, reason: parsed(reply).error.code });
};

/** Changes return an empty body, rejections a text. */
export const terse: WireVariant = async (asked, forward) => {
  const reply = await forward(asked);
  if (reply.status >= 400) return { status: reply.status, type: 'text/plain', body: parsed(reply).error.message };
  return asked.method === 'GET' || asked.path.endsWith('/feature') ? reply : { status: 204, type: null, body: '' };
};

/** The status is always 200, and `code` signals the result; 0 is success. */
export const always200: WireVariant = async (asked, forward) => {
  const reply = await forward(asked);
  return json(200, { code: reply.status < 300 ? 0 : reply.status, data: reply.status < 300 ? parsed(reply) : null });
};

/** The same with one shape for all responses: only the number differs. */
export const mute200: WireVariant = async (asked, forward) => {
  const { status } = await forward(asked);
  return json(200, { code: status < 300 ? 0 : status, message: 'done' });
};

/** Lists with pages from 1, oldest first, at most 25 entries per page. */
export const paged: WireVariant = lists((all, page, size) => {
  const entries = Math.min(size, 25);
  return page < 1 ? undefined : [...all].reverse().slice((page - 1) * entries, page * entries);
});

/** Lists that show an entry only after `ms`, oldest first, limit before offset, without a cap. */
export const lagging = (ms: number): WireVariant =>
  lists((all, limit, offset) => {
    const shown = all.filter(({ blockedAt }) => Date.parse(blockedAt) <= Date.now() - ms).reverse();
    return shown.slice(offset, offset + limit);
  });

/** Accepts invalid bodies, but not long texts or unknown codes; everything unknown is "unprocessable". */
export const lenient: WireVariant = async (asked, forward) => {
  const body = bodyOf(asked);
  if (!body) return forward(asked);
  if (String(body['message'] ?? '').length > 280) return json(422, { problem: 'too long' });
  if ('gender' in body && ![0, 1, 2].includes(body['gender'] as number)) return json(422, { problem: 'gender' });
  const { sextantUnknown: _, ...known } = body;
  const reply = await forward({ ...asked, body: JSON.stringify({ ...filler(asked.path), ...known }) });
  return reply.status < 400 ? reply : json(reply.status === 404 ? 422 : reply.status, { problem: 'refused' });
};

function filler(path: string): object {
  return path.endsWith('/report') ? { message: '' } : {};
}

function bodyOf({ body }: WireRequest): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface Entry {
  readonly userId: string;
  readonly blockedAt: string;
}

/** The two lists, paged by `page` from all entries, newest first; `undefined` is a bad request. */
function lists(page: (all: readonly Entry[], n1: number, n2: number) => readonly Entry[] | undefined): WireVariant {
  return async (asked, forward) => {
    const [, path, n1, n2] = /^(\/v1\/friends\/block(?:\/me)?)\/(\d+)\/(\d+)$/.exec(asked.path) ?? [];
    if (asked.method !== 'GET' || path === undefined) return forward(asked);
    const all: Entry[] = [];
    for (let offset = 0; ; offset += 100) {
      const reply = await forward({ ...asked, path: `${path}/${offset}/100` });
      if (reply.status !== 200) return reply;
      const some = JSON.parse(reply.body) as Entry[];
      all.push(...some);
      if (some.length < 100) break;
    }
    const entries = page(all, Number(n1), Number(n2));
    return entries ? json(200, entries) : json(400, { error: { code: 'invalid_page', message: '', requestId: '' } });
  };
}

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
