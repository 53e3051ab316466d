import { randomUUID } from 'node:crypto';
import {
  anyBody,
  Blocks,
  type Body,
  breaches,
  house,
  included,
  type Row,
  Stopped,
  usersOf,
  usualSchemas,
  window,
} from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Hypermedia: ids are links, lists are embedded, errors carry a timestamp and their path. Clones take the source's version.

const PAGE_SIZE = 25;

/** Users by their token. */
const principals = new Map([
  ['bm9yYXxzZXNzaW9u', 'auth0|nora'],
  ['b3R0b3xzZXNzaW9u', 'auth0|otto'],
]);

const link = (kind: string, id: string) => ({ href: `/${kind}/${encodeURIComponent(id.toWellFormed())}` });
const resource = (status: number, self: { href: string }, rest: object = {}): Outgoing => ({
  status,
  type: 'application/hal+json',
  body: JSON.stringify({ ...rest, _links: { self } }),
});

/** A path that there isn't is one of a user. */
function enter({ headers, path, method }: Incoming): void {
  const need = (...names: readonly string[]) => {
    for (const name of names) if (!headers[name]) throw new Stopped(400, `Required header '${name}' is not present`);
  };
  if (path.includes('/apikey/') && method === 'POST') {
    need('mm-client-id', ...(path.endsWith('/feature') ? ['mm-user-id'] : []));
    if (headers['mm-api-key'] !== 'hal-0123456789') throw new Stopped(401, 'Full authentication is required');
    return;
  }
  const [, token = ''] = /^bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const user = principals.get(token);
  if (!user) throw new Stopped(401, 'Full authentication is required');
  need('mm-client-id', 'mm-user-id');
  if (headers['mm-user-id'] !== user) throw new Stopped(403, 'Access is denied');
}

const schemas: typeof usualSchemas = {
  ...usualSchemas,
  report: { storyId: 'text', reports: 'list', message: 'text?500' },
};
/** Texts are made of numbers and must not be blank; numbers are made of texts. */
const kinds = {
  text: (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== '',
  whole: (value: unknown) => Number.isInteger(Number(value)) && Number(value) >= 0,
};

function body(incoming: Incoming, row: Row): Body {
  const { 'content-type': type } = incoming.headers;
  if (type && !/\bjson\b/.test(type)) throw new Stopped(415, 'Content type not supported');
  if (incoming.text === '') throw new Stopped(400, 'JSON parse error');
  const given = Object.fromEntries(Object.entries(anyBody(incoming)).filter(([, value]) => value !== null));
  const [wrong] = breaches(given, schemas[row] ?? {}, kinds);
  if (wrong) throw new Stopped(400, `Validation failed: ${wrong}`);
  return given;
}

const make = () => {
  const blocks = new Blocks();
  const since = new Map<string, string>();
  const avatars = new Set<string>();
  const people = new Map<string, Body>();
  const things = new Set(['t-1', 't-2', 't-3', 't-4'].map((id) => `auth0|nora ${id}`));

  const sinceOf = (by: string, whom: string) => {
    const key = `${by} ${whom}`;
    since.set(key, since.get(key) ?? new Date().toISOString());
    return since.get(key);
  };
  const listed = (all: readonly (readonly [id: string, since: string | undefined])[], parts: readonly string[]) => {
    const [page, size] = parts.map(Number) as [number, number];
    const count = size > 0 ? Math.min(size, PAGE_SIZE) : PAGE_SIZE;
    const users = window(all, page * count, count).map(([id, at]) => ({
      since: at,
      _links: { user: link('users', id) },
    }));
    const about = { number: page, size: count, totalElements: all.length };
    return resource(200, { href: '/friends/block' }, { _embedded: { users }, page: about });
  };
  const story = (storyId: unknown, lovedByYou?: boolean) => {
    if (storyId !== 'once-upon') throw new Stopped(404, 'Story not found');
    return resource(200, link('stories', storyId), { lovedByYou });
  };
  return house({
    show: 'GET /v1/users/*/profile',
    entersFirst: true,
    enter,
    body,
    refused: (status, message, { path }) => {
      const own = status === 405 ? 404 : status;
      return { status: own, body: { timestamp: new Date().toISOString(), status: own, message, path } };
    },
    actions: {
      block: (me, { friendId }) => {
        const status = blocks.add(me, String(friendId)) ? 201 : 200;
        return resource(status, link('users', String(friendId)), { since: sinceOf(me, String(friendId)) });
      },
      unblock: (me, { friendId }) => {
        blocks.remove(me, String(friendId));
        since.delete(`${me} ${friendId}`);
        return { status: 204 };
      },
      blocked: (me, _, parts) =>
        listed(
          blocks.of(me).map((whom) => [whom, sinceOf(me, whom)]),
          parts,
        ),
      blockers: (me, _, parts) =>
        listed(
          blocks.against(me).map((by) => [by, sinceOf(by, me)]),
          parts,
        ),
      love: (_, { storyId }) => story(storyId, true),
      unlove: (_, { storyId }) => story(storyId, false),
      options: (_, __, [language = '']) => {
        const isKnown = language.toLowerCase().startsWith('en');
        const codes = isKnown ? ['SEXUALLY_INAPPROPRIATE', 'HATEFUL', 'MISLEADING'] : [];
        return resource(200, link('options', language), {
          options: codes.map((value) => ({ value, nonce: randomUUID() })),
        });
      },
      report: (_, { storyId }) => {
        story(storyId);
        return resource(201, link('reports', randomUUID()));
      },
      clone: (_, { FromClientId, TypeName, TypeVersion }) => {
        if (`${FromClientId} ${TypeName} ${TypeVersion}` !== 'catalog poster 4.2')
          throw new Stopped(404, 'No such version of a type');
        return resource(201, link('types', randomUUID()), { version: '4.2' });
      },
      avatar: (me) => {
        const status = avatars.has(me) ? 200 : 201;
        avatars.add(me);
        return resource(status, link('avatars', me));
      },
      profile: (me, fields) => {
        people.set(me, { ...people.get(me), ...included(fields) });
        return resource(200, link('users', me), people.get(me));
      },
      show: (_, __, [id = '']) => {
        if (![...principals.values()].includes(id)) throw new Stopped(404, 'User not found');
        return resource(200, link('users', id), people.get(id));
      },
      feature: (_, { key, default: fallback = null }) =>
        resource(200, link('flags', String(key)), {
          value: key === 'ribbon' ? 'blue' : fallback,
          evaluatedAt: new Date().toISOString(),
        }),
      item: (me, _, [id = '']) => {
        if (!things.delete(`${me} ${id}`)) throw new Stopped(404, 'Item not found');
        return { status: 204 };
      },
    },
  });
};

export const hal: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'hal-web',
    ...usersOf(Object.fromEntries(principals)),
    API_KEY: 'hal-0123456789',
    BLOCK_LIST_SEGMENTS: '0/25',
    STORY_ID: 'once-upon',
    FLAG_KEY: 'ribbon',
    FROM_CLIENT_ID: 'catalog',
    TYPE_NAME: 'poster',
    TYPE_VERSION: '4.2',
    STORED_ITEM_IDS: 't-1,t-2,t-3,t-4',
    FRIEND_PROFILE_REQUEST: 'GET /v1/users/{userId}/profile',
  },
  truth: [
    ['block', /^success-status$/, '201, 200'],
    ['saveAvatar', /^success-status$/, /^(201, 200|200; the first save .*)$/],
    ['unblock deleteItem', /^success-status$/, '204'],
    ['report cloneType', /^success-status$/, '201'],
    ['*', /^success-status$/, '200'],
    ['unblock deleteItem', /^answer-shape$/, 'no body'],
    ['readProfile', /^answer-shape$/, /^\{_links.*\}$/],
    ['*', /^answer-shape$/, /^\{.*_links\??: \{self\??: \{href\??: string\}\}\}$/],
    ['*', /^missing-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['*', /^missing-header:mm-/, 'refused with 400'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['evaluate', /^wrong-header:/, 'accepted'],
    ['*', /^wrong-header:mm-user-id$/, 'refused with 403'],
    ['*', /^wrong-header:mm-client-id$/, 'accepted'],
    ['cloneType evaluate', /^method-not-allowed$/, 'refused with 401'],
    ['*', /^method-not-allowed$/, 'refused with 404'],
    ['*', /^error-shape$/, 'application/json {timestamp, status, message, path}'],
    ['saveAvatar', /^required-field:name$/, 'required, else 400'],
    ['saveAvatar updateProfile getFriendProfile', /^required-field:/, 'optional'],
    ['report', /^required-field:message$/, 'optional'],
    ['cloneType', /^required-field:(Files|IsSetDefaultTypeVersion)$/, 'optional'],
    ['evaluate', /^required-field:(default|contextData)$/, 'optional'],
    ['*', /^required-field:/, 'required, else 400'],
    ['love unlove report', /^wrong-type:storyId$/, 'accepted as text'],
    ['cloneType', /^wrong-type:(FromClientId|TypeName|TypeVersion)$/, 'accepted as text'],
    ['*', /^wrong-type:(reports|Files|IsSetDefaultTypeVersion|items|gender|contextData)$/, 'refused with 400'],
    ['report', /^text-limit:message$/, '500 characters, else 400'],
    ['*', /^allowed-values:gender$/, '0, 1, 2, 3, 9, 100; not -1'],
    ['*', /^allowed-values:status$/, '"online", "away", "sextant-invented"; not ""'],
    ['readProfile', /^unknown-user$/, 'refused with 404'],
    ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 404'],
    ['*', /^(repeat|unknown-user|unknown-code|unknown-language)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, 'page/size, first index 0, cap 25, oldest first'],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, HATEFUL, MISLEADING'],
    ['*', /^languages$/, /^en of 16 tried; an unknown one falls back$/],
    ['*', /^own-request$/, 'GET /v1/users/{userId}/profile'],
  ],
};
