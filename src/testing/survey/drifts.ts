import type { Replied } from '../../fault-injection/wire/act.ts';
import type { WireVariant } from '../servers/wire-proxy.ts';

/** One way in which the responses of `love` may change, and its message. */
interface DriftKind {
  readonly change: (reply: Replied, body: Record<string, unknown>) => Replied;
  readonly reported: RegExp;
}

const withBody = (reply: Replied, body: unknown): Replied => ({ ...reply, body: JSON.stringify(body) });

export const driftKinds: Readonly<Record<string, DriftKind>> = {
  nullable: {
    change: (reply, body) => withBody(reply, { ...body, loves: null }),
    reported: /\/loves is null, but integer was observed/,
  },
  renamed: {
    change: (reply, { loves, ...rest }) => withBody(reply, { ...rest, loveCount: loves }),
    reported: /\/loves is missing; renamed to loveCount\?/,
  },
  status: {
    change: (reply) => ({ ...reply, status: 202 }),
    reported: /status 202, but 200 was observed/,
  },
};

/** A change that is noted without breaking anything. */
export const newField: DriftKind = {
  change: (reply, body) => withBody(reply, { ...body, lovedAt: 'now' }),
  reported: /love: \/lovedAt is new/,
};

/** The header `x-drift`, or the first path segment, selects how the responses of `love` change. */
export const drifting: WireVariant = async (asked, forward) => {
  const [, segment = '', path = ''] = /^\/([a-z]+)(\/v1\/.*)$/.exec(asked.path) ?? [];
  const kind = asked.headers['x-drift'] ?? segment;
  const reply = await forward({ ...asked, path });
  const { change } = (kind === 'new' ? newField : driftKinds[kind]) ?? {};
  const isLove = path === '/v1/stories/love' && reply.status === 200;
  return isLove && change ? change(reply, JSON.parse(reply.body)) : reply;
};
