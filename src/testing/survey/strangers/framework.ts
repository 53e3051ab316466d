import { randomUUID } from 'node:crypto';
import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';

// A service as frameworks give it by default: a database with foreign keys, a validator, typed headers, an error handler.
// `Manners` is what differs between them.

export type Fields = Readonly<Record<string, 'text' | 'text?' | 'whole?' | 'list' | 'list?' | 'flag?' | 'map?'>>;

export interface Manners {
  /** The user and the ids that the service knows. */
  readonly users: Readonly<Record<string, string>>;
  /** Users who exist, and nobody signs in as. */
  readonly others: readonly string[];
  readonly apiKey: string;
  readonly client: string;
  readonly story: string;
  readonly items: readonly string[];
  readonly languages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly flag: readonly [key: string, value: string];
  error(status: number, what: string, incoming: Incoming): Outgoing;
  /** Statuses: of a body that breaks its schema, of what is not known, and of a change that was made before. */
  readonly statuses: { readonly invalid: number; readonly unknown: number; readonly again?: number };
  /** Reads a text that was given as something else; `undefined` where it must be a text. */
  readonly text: (value: unknown) => string | undefined;
  /** A page of users, newest first; `undefined` where there is none. */
  page(all: readonly string[], n1: number, n2: number, incoming: Incoming): unknown;
  readonly reportsOnce?: true;
  /** Requests in each window, of so many ms. */
  readonly rate?: { readonly limit: number; readonly windowMs: number };
}

const bodies: Readonly<Record<string, Fields>> = {
  block: { friendId: 'text' },
  love: { storyId: 'text' },
  report: { storyId: 'text', reports: 'list', message: 'text?' },
  clone: {
    FromClientId: 'text',
    TypeName: 'text',
    TypeVersion: 'text',
    Files: 'list?',
    IsSetDefaultTypeVersion: 'flag?',
  },
  avatar: { includes: 'text?', name: 'text', meta: 'text?', items: 'list?' },
  profile: { includes: 'text?', name: 'text?', status: 'text?', url: 'text?', gender: 'whole?' },
  feature: { key: 'text', default: 'text?', contextData: 'map?' },
};

const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];

class Stopped extends Error {
  readonly status: number;
  readonly what: string;
  constructor(status: number, what: string) {
    super(what);
    this.status = status;
    this.what = what;
  }
}

type Body = Record<string, unknown>;
type Action = (me: string, body: Body, parts: readonly string[], incoming: Incoming) => Outgoing;

/** A fresh service with its own database. */
export function framework(manners: Manners): StrangerHandler {
  const { statuses, error } = manners;
  const [tokens, people] = [
    new Map(Object.entries(manners.users)),
    new Set([...Object.values(manners.users), ...manners.others]),
  ];
  const blocks: { readonly by: string; readonly whom: string }[] = [];
  const [loves, reports, versions] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const items = new Set(manners.items);
  const [profiles, avatars] = [new Map<string, Body>(), new Map<string, Body>()];
  let [window, served] = [0, 0];

  const known = <T>(set: { has(value: T): boolean }, value: T, what: string) => {
    if (!set.has(value)) throw new Stopped(statuses.unknown, what);
    return value;
  };
  const stories = new Set([manners.story]);
  const changed = (isAgain: boolean) => {
    if (isAgain && statuses.again) throw new Stopped(statuses.again, 'already');
  };

  const valid = (fields: Fields, body: Body): Body =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, rule]) => {
        const given = body[name];
        if (given === undefined && rule.endsWith('?')) return [];
        const value = rule.startsWith('text') ? manners.text(given) : given;
        const isRight = rule.startsWith('text')
          ? value !== undefined && (value !== '' || rule === 'text?')
          : rule.startsWith('list')
            ? Array.isArray(value)
            : rule === 'whole?'
              ? Number.isInteger(value)
              : rule === 'flag?'
                ? typeof value === 'boolean'
                : isRecord(value);
        if (!isRight) throw new Stopped(statuses.invalid, name);
        return [[name, value]];
      }),
    );

  const listed = (all: readonly string[], [n1, n2]: readonly string[], incoming: Incoming) => {
    const body = manners.page(all, Number(n1), Number(n2), incoming);
    if (body === undefined) throw new Stopped(statuses.invalid, 'page');
    return { status: 200, body };
  };

  const routes: readonly (readonly [method: string, path: RegExp, body: string, act: Action])[] = [
    [
      'POST',
      /^\/v1\/friends\/block$/,
      'block',
      (me, { friendId }) => {
        const whom = known(people, String(friendId), 'user');
        const isAgain = blocks.some((each) => each.by === me && each.whom === whom);
        changed(isAgain);
        if (!isAgain) blocks.unshift({ by: me, whom });
        return { status: 201, body: { user: whom } };
      },
    ],
    [
      'POST',
      /^\/v1\/friends\/unblock$/,
      'block',
      (me, { friendId }) => {
        const at = blocks.findIndex((each) => each.by === me && each.whom === String(friendId));
        if (at >= 0) blocks.splice(at, 1);
        return { status: 204 };
      },
    ],
    [
      'GET',
      /^\/v1\/friends\/block\/(\d+)\/(\d+)$/,
      '',
      (me, _, parts, incoming) =>
        listed(
          blocks.filter(({ by }) => by === me).map(({ whom }) => whom),
          parts,
          incoming,
        ),
    ],
    [
      'GET',
      /^\/v1\/friends\/block\/me\/(\d+)\/(\d+)$/,
      '',
      (me, _, parts, incoming) =>
        listed(
          blocks.filter(({ whom }) => whom === me).map(({ by }) => by),
          parts,
          incoming,
        ),
    ],
    [
      'POST',
      /^\/v1\/stories\/love$/,
      'love',
      (me, { storyId }) => {
        loves.add(`${me} ${known(stories, String(storyId), 'story')}`);
        return { status: 200, body: { loves: loves.size } };
      },
    ],
    [
      'POST',
      /^\/v1\/stories\/unlove$/,
      'love',
      (me, { storyId }) => {
        loves.delete(`${me} ${known(stories, String(storyId), 'story')}`);
        return { status: 200, body: { loves: loves.size } };
      },
    ],
    [
      'GET',
      /^\/v1\/reports\/opt\/([a-z]{2})$/,
      '',
      (_, __, [language = '']) => ({
        status: 200,
        body: manners.languages[known(new Set(Object.keys(manners.languages)), language, 'language')],
      }),
    ],
    [
      'POST',
      /^\/v1\/stories\/report$/,
      'report',
      (me, { storyId, reports: codes }) => {
        const story = known(stories, String(storyId), 'story');
        const options = Object.keys(Object.values(manners.languages)[0] ?? {});
        if ((codes as unknown[]).some((code) => !options.includes(String(code))))
          throw new Stopped(statuses.invalid, 'reports');
        if (manners.reportsOnce && reports.has(`${me} ${story}`)) throw new Stopped(409, 'reported');
        reports.add(`${me} ${story}`);
        return { status: 201, body: { id: randomUUID() } };
      },
    ],
    [
      'POST',
      /^\/v1\/apikey\/type\/clone$/,
      'clone',
      (_, { FromClientId, TypeName, TypeVersion }) => {
        known(new Set(['catalogue frame']), `${FromClientId} ${TypeName}`, 'type');
        if (versions.has(String(TypeVersion))) throw new Stopped(409, 'version');
        versions.add(String(TypeVersion));
        return { status: 201, body: { version: TypeVersion } };
      },
    ],
    [
      'POST',
      /^\/v1\/avatar$/,
      'avatar',
      (me, body) => {
        const isNew = !avatars.has(me);
        avatars.set(me, body);
        return { status: isNew ? 201 : 200, body: { owner: me, name: body['name'] } };
      },
    ],
    [
      'PUT',
      /^\/v1\/profile$/,
      'profile',
      (me, { includes, ...fields }) => {
        const named = includes === undefined ? undefined : String(includes).replace('avartarUrl', 'url').split(';');
        const applied = Object.entries(fields).filter(([name]) => !named || named.includes(name));
        profiles.set(me, { ...profiles.get(me), ...Object.fromEntries(applied) });
        return { status: 200, body: shown(me) };
      },
    ],
    [
      'GET',
      /^\/v1\/profile\/([\w-]+)$/,
      '',
      (_, __, [id = '']) => ({ status: 200, body: shown(known(people, id, 'user')) }),
    ],
    [
      'POST',
      /^\/v1\/apikey\/feature$/,
      'feature',
      (_, { key, default: fallback }) => ({
        status: 200,
        body: { key, value: key === manners.flag[0] ? manners.flag[1] : (fallback ?? null) },
      }),
    ],
    [
      'DELETE',
      /^\/v1\/features\/story\/([\w-]+)$/,
      '',
      (_, __, [id = '']) => {
        items.delete(known(items, id, 'item'));
        return { status: 204 };
      },
    ],
  ];

  const shown = (id: string) => ({
    id,
    ...Object.fromEntries(['name', 'status', 'url', 'gender'].map((name) => [name, profiles.get(id)?.[name] ?? null])),
    avatar: avatars.has(id) ? { name: avatars.get(id)?.['name'] } : null,
  });

  const enter = ({ headers, path }: Incoming): void => {
    const [isClone, isFeature] = [path.endsWith('/clone'), path.endsWith('/feature')];
    if (isClone || isFeature) {
      if (headers['mm-api-key'] !== manners.apiKey) throw new Stopped(401, 'mm-api-key');
      const needed = ['mm-client-id', ...(isFeature ? ['mm-user-id', ...APP] : [])];
      for (const name of needed) if (headers[name] === undefined) throw new Stopped(statuses.invalid, name);
      // A number in the handler's signature; the others are texts, which may be empty.
      if (isFeature && !/^\d+$/.test(headers['app-ver'] ?? '')) throw new Stopped(statuses.invalid, 'app-ver');
      return;
    }
    const user = tokens.get(/^bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '');
    if (!user) throw new Stopped(401, 'authorization');
    if (headers['mm-user-id'] !== user || headers['mm-client-id'] !== manners.client)
      throw new Stopped(403, 'forbidden');
  };

  const answer = (incoming: Incoming): Outgoing => {
    const here = routes.filter(([, path]) => path.test(incoming.path));
    const route = here.find(([method]) => method === incoming.method);
    if (!route) throw new Stopped(here.length > 0 ? 405 : 404, 'route');
    enter(incoming);
    const [, path, schema, act] = route;
    const given = schema === '' ? {} : parse(incoming.text);
    if (!isRecord(given)) throw new Stopped(statuses.invalid, 'body');
    return act(
      incoming.headers['mm-user-id'] ?? '',
      valid(bodies[schema] ?? {}, given),
      (path.exec(incoming.path) ?? []).slice(1),
      incoming,
    );
  };

  const provision = ({ path, text }: Incoming): Outgoing => {
    const { count = 1 } = parse(text) as { readonly count?: number };
    const ids = Array.from({ length: count }, () => randomUUID());
    if (path.endsWith('/items')) {
      for (const id of ids) items.add(id);
      return { status: 201, body: { itemIds: ids } };
    }
    for (const id of ids) tokens.set(`token-${id}`, people.add(id) && id);
    return { status: 201, body: { users: ids.map((userId) => ({ userId, accessToken: `token-${userId}` })) } };
  };

  return (incoming) => {
    if (incoming.path.startsWith('/provision/')) return provision(incoming);
    const { rate } = manners;
    const now = rate ? Math.floor(Date.now() / rate.windowMs) : 0;
    served = now === window ? served + 1 : 1;
    window = now;
    const seconds = rate ? String(Math.ceil(((now + 1) * rate.windowMs - Date.now()) / 1_000)) : '';
    const headers: Record<string, string> = rate
      ? {
          'ratelimit-limit': String(rate.limit),
          'ratelimit-remaining': String(Math.max(0, rate.limit - served)),
          'ratelimit-reset': seconds,
        }
      : {};
    try {
      if (rate && served > rate.limit)
        return { ...error(429, 'rate', incoming), headers: { ...headers, 'retry-after': seconds } };
      return { ...answer(incoming), headers };
    } catch (stopped) {
      if (stopped instanceof Stopped) return { ...error(stopped.status, stopped.what, incoming), headers };
      throw stopped;
    }
  };
}

/** The keys of an environment with such a service. */
export function keysOf({
  users,
  others,
  apiKey,
  client,
  story,
  items,
  flag,
}: Manners): Readonly<Record<string, string>> {
  const [[ownToken = '', own = ''] = [], [friendToken = '', friend = ''] = []] = Object.entries(users);
  return {
    CLIENT_ID: client,
    USER_ID: own,
    ACCESS_TOKEN: ownToken,
    FRIEND_USER_ID: friend,
    FRIEND_ACCESS_TOKEN: friendToken,
    API_KEY: apiKey,
    STORY_ID: story,
    STORED_ITEM_IDS: items.join(','),
    OTHER_USER_IDS: others.join(','),
    FLAG_KEY: flag[0],
    FLAG_VALUE: flag[1],
    FROM_CLIENT_ID: 'catalogue',
    TYPE_NAME: 'frame',
    TYPE_VERSION: '1.0',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  };
}
