import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';
import { terseTruth } from './terse.truth.ts';

// Returns as little as possible: changes get an empty 200, lists are bare, rejections one line of text; sometimes it throttles.

const empty: Outgoing = { status: 200, type: null, body: '' };
const err = (status: number, text: string): Outgoing => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

/** One in this many requests is throttled. */
const THROTTLED_EVERY = 151;

type Vars = Record<string, string>;
type Body = Record<string, unknown>;
type Run = (user: string, vars: Vars, body: Body) => Outgoing;

const TOKENS = 'terse-token-u1=u1;terse-token-u2=u2'.split(';').map((pair) => pair.split('='));

function match(pattern: string, path: string): Vars | undefined {
  const [want, have] = [pattern.split('/'), path.split('/')];
  if (want.length !== have.length) return undefined;
  const vars: Vars = {};
  for (const [index, part] of want.entries()) {
    if (part.startsWith(':')) vars[part.slice(1)] = decodeURIComponent(have[index] ?? '');
    else if (part !== have[index]) return undefined;
  }
  return vars;
}

function string(body: Body, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function make(): StrangerHandler {
  const blocked: Record<string, string[]> = {};
  const profile: Record<string, Body> = { u1: {}, u2: {} };
  const clones = new Set<string>();
  const blobs = new Set(['b1', 'b2', 'b3', 'b4']);
  let served = 0;

  const range = (all: readonly string[], { limit = '', offset = '' }: Vars) => {
    if (!/^\d+$/.test(limit) || !/^\d+$/.test(offset)) return err(400, 'limit and offset must be numbers');
    return { status: 200, body: all.slice(Number(offset), Number(offset) + Number(limit)) };
  };

  const routes: readonly (readonly [string, string, Run])[] = [
    [
      'POST',
      '/v1/friends/block',
      (user, _, body) => {
        const id = string(body, 'friendId');
        if (!id) return err(400, 'friendId must be a string');
        if (!blocked[user]?.includes(id)) blocked[user] = [id, ...(blocked[user] ?? [])];
        return empty;
      },
    ],
    [
      'POST',
      '/v1/friends/unblock',
      (user, _, body) => {
        const id = string(body, 'friendId');
        if (!id) return err(400, 'friendId must be a string');
        if (!blocked[user]?.includes(id)) return err(404, 'not blocked');
        blocked[user] = blocked[user].filter((each) => each !== id);
        return empty;
      },
    ],
    [
      'GET',
      '/v1/friends/block/me/:limit/:offset',
      (user, vars) =>
        range(
          Object.keys(blocked).filter((by) => blocked[by]?.includes(user)),
          vars,
        ),
    ],
    ['GET', '/v1/friends/block/:limit/:offset', (user, vars) => range(blocked[user] ?? [], vars)],
    [
      'POST',
      '/v1/stories/love',
      (_, __, body) => (string(body, 'storyId') ? empty : err(400, 'storyId must be a string')),
    ],
    [
      'POST',
      '/v1/stories/unlove',
      (_, __, body) => (string(body, 'storyId') ? empty : err(400, 'storyId must be a string')),
    ],
    [
      'GET',
      '/v1/reports/opt/:language',
      (_, { language = '' }) =>
        ['en', 'it', 'pt'].includes(language)
          ? { status: 200, body: ['SEXUALLY_INAPPROPRIATE', 'RUDE', language.toUpperCase()] }
          : err(404, 'no such language'),
    ],
    [
      'POST',
      '/v1/stories/report',
      (_, __, body) =>
        string(body, 'storyId') && Array.isArray(body['reports']) && body['reports'].length > 0
          ? empty
          : err(400, 'incomplete report'),
    ],
    [
      'POST',
      '/v1/avatar',
      (_, __, body) => {
        if (typeof body['name'] !== 'string' || body['name'].length > 64) return err(400, 'bad name');
        return Array.isArray(body['items']) ? empty : err(400, 'bad items');
      },
    ],
    [
      'PUT',
      '/v1/profile',
      (user, _, body) => {
        for (const name of String(body['includes'] ?? '').split(';')) {
          const field = name === 'avartarUrl' ? 'url' : name;
          if (field in body) profile[user] = { ...profile[user], [field]: body[field] };
        }
        return empty;
      },
    ],
    [
      'GET',
      '/v1/profile/:id',
      (_, { id = '' }) => (profile[id] ? { status: 200, body: profile[id] } : err(404, 'no such user')),
    ],
    ['DELETE', '/v1/features/story/:id', (_, { id = '' }) => (blobs.delete(id) ? empty : err(404, 'no such item'))],
  ];

  const keyed: readonly (readonly [string, string, Run])[] = [
    [
      'POST',
      '/v1/apikey/type/clone',
      (_, __, body) => {
        const [from, name, version] = ['FromClientId', 'TypeName', 'TypeVersion'].map((field) => string(body, field));
        if (!from || !name || !version) return err(400, 'incomplete clone');
        if (clones.has(version)) return err(409, 'version exists');
        clones.add(version);
        return empty;
      },
    ],
    [
      'POST',
      '/v1/apikey/feature',
      (_, __, body) => {
        const key = string(body, 'key');
        if (!key) return err(400, 'key must be a string');
        return {
          status: 200,
          body: key === 'fast' ? '"yes"' : JSON.stringify(body['default'] ?? null),
          type: 'application/json',
        };
      },
    ],
  ];

  const enter = ({ headers }: Incoming, isKeyed: boolean): Outgoing | undefined => {
    if (!headers['mm-client-id']) return err(400, 'mm-client-id is missing');
    if (isKeyed) return headers['mm-api-key'] === 'terse-key' ? undefined : err(403, 'forbidden');
    const user = TOKENS.find(([token]) => headers['authorization'] === `bearer ${token}`)?.[1];
    if (!user || !headers['mm-user-id']) return err(401, 'unauthorized');
    return user === headers['mm-user-id'] ? undefined : err(401, 'unauthorized');
  };

  return (incoming) => {
    if (++served % THROTTLED_EVERY === 0) return { ...err(429, 'slow down'), headers: { 'retry-after': '0' } };
    const isKeyed = incoming.path.startsWith('/v1/apikey/');
    const stopped = enter(incoming, isKeyed);
    if (stopped) return stopped;
    const body = incoming.text === '' ? {} : parse(incoming.text);
    if (!isRecord(body)) return err(400, 'bad JSON');
    const here = (isKeyed ? keyed : routes).flatMap(([method, pattern, run]) => {
      const vars = match(pattern, incoming.path);
      return vars ? [{ method, vars, run }] : [];
    });
    const route = here.find(({ method }) => method === incoming.method);
    if (route) return route.run(incoming.headers['mm-user-id'] ?? '', route.vars, body);
    return here.length > 0 ? err(405, 'method not allowed') : err(404, 'not found');
  };
}

export const terse: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'terse-client',
    USER_ID: 'u1',
    FRIEND_USER_ID: 'u2',
    ACCESS_TOKEN: 'terse-token-u1',
    FRIEND_ACCESS_TOKEN: 'terse-token-u2',
    API_KEY: 'terse-key',
    BLOCK_LIST_SEGMENTS: '100/0',
    STORY_ID: 'x',
    FLAG_KEY: 'fast',
    FROM_CLIENT_ID: 'a',
    TYPE_NAME: 'b',
    TYPE_VERSION: '1',
    STORED_ITEM_IDS: 'b1,b2,b3,b4',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  },
  truth: terseTruth,
};
