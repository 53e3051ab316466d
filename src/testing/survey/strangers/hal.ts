import { randomUUID } from 'node:crypto';
import { entrance } from './entrance.ts';
import { flagOf, type House } from './house.ts';
import { usualSchemas } from './schema.ts';
import { anyBody, type Outgoing, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// Hypermedia: ids are links, in capitals where a list embeds them, errors carry a timestamp and their path. Clones take the source's version.

const PAGE_SIZE = 25;

const link = (kind: string, id: string) => ({ href: `/${kind}/${encodeURIComponent(id.toWellFormed())}` });
const resource = (status: number, self: { href: string }, rest: object = {}): Outgoing => ({
  status,
  type: 'application/hal+json',
  body: JSON.stringify({ ...rest, _links: { self } }),
});

const enter = entrance(/^bearer +$/i, [
  ['token key', 401, 'Full authentication is required'],
  ['client user', 400, 'Required header is not present'],
  ['stranger', 403, 'Access is denied'],
]);

const style: House = {
  ...plain,
  users: { bm9yYXxzZXNzaW9u: 'auth0|nora', b3R0b3xzZXNzaW9u: 'auth0|otto' },
  stories: ['once-upon'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'HATEFUL', 'MISLEADING'],
  items: ['t-1', 't-2', 't-3', 't-4'],
  owner: 'auth0|nora',
  show: 'GET /v1/users/{userId}/profile',
  entersFirst: true,
  // A path that there isn't is one of a user.
  enter: (incoming, stock) => enter(incoming.method === 'POST' ? incoming : { ...incoming, path: '' }, stock),
  body: (incoming) => {
    const { 'content-type': type } = incoming.headers;
    if (type && !/\bjson\b/.test(type)) throw new Stopped(415, 'Content type not supported');
    if (incoming.text === '') throw new Stopped(400, 'JSON parse error');
    return Object.fromEntries(Object.entries(anyBody(incoming)).filter(([, value]) => value !== null));
  },
  schemas: { ...usualSchemas, report: { storyId: 'text', reports: 'list', message: 'text?500' } },
  /** Texts are made of numbers and must not be blank; numbers are made of texts. */
  kinds: {
    text: (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== '',
    whole: (value: unknown) => Number.isInteger(Number(value)) && Number(value) >= 0,
  },
  invalid: [400, ([wrong]) => `Validation failed: ${wrong}`],
  refused: (status, message, { path }) => {
    const own = status === 405 ? 404 : status;
    return { status: own, body: { timestamp: new Date().toISOString(), status: own, message, path } };
  },
  errors: { story: 404, type: 404, 'source version': 404, user: 404, item: 404 },
  done: { status: 204 },
  list: ({ list, page: [page, size] }) => {
    const count = size > 0 ? Math.min(size, PAGE_SIZE) : PAGE_SIZE;
    const users = list.slice(page * count, (page + 1) * count).map(({ id, since }) => ({
      since: new Date(since).toISOString(),
      _links: { user: link('users', id.toUpperCase()) },
    }));
    const about = { number: page, size: count, totalElements: list.length };
    return resource(200, { href: '/friends/block' }, { _embedded: { users }, page: about });
  },
  says: {
    block: ({ me, id, isNew, held }) => {
      const since = held.blockedBy(me).find((each) => each.id === id)?.since ?? 0;
      return resource(isNew ? 201 : 200, link('users', id), { since: new Date(since).toISOString() });
    },
    love: ({ id }) => resource(200, link('stories', id), { lovedByYou: true }),
    unlove: ({ id }) => resource(200, link('stories', id), { lovedByYou: false }),
    reportOptions: ({ id }) => {
      const codes = id.toLowerCase().startsWith('en') ? style.codes : [];
      return resource(200, link('options', id), { options: codes.map((value) => ({ value, nonce: randomUUID() })) });
    },
    report: () => resource(201, link('reports', randomUUID())),
    cloneType: ({ id }) => resource(201, link('types', randomUUID()), { version: id }),
    saveAvatar: ({ me, isNew }) => resource(isNew ? 201 : 200, link('avatars', me)),
    updateProfile: ({ me, held }) => resource(200, link('users', me), held.profiles.get(me)),
    readProfile: ({ id, held }) => resource(200, link('users', id), held.profiles.get(id)),
    evaluate: (told) =>
      resource(200, link('flags', told.id), {
        value: flagOf(style, told) ?? null,
        evaluatedAt: new Date().toISOString(),
      }),
  },
};

export const hal = strangerOf(style, { BLOCK_LIST_SEGMENTS: '0/25' }, [
  ['block', /^success-status$/, '201, 200'],
  ['saveAvatar', /^success-status$/, /^(201, 200|200; the first save .*)$/],
  ['unblock deleteItem', /^success-status$/, '204'],
  ['report cloneType', /^success-status$/, '201'],
  ['*', /^success-status$/, '200'],
  ['unblock deleteItem', /^answer-shape$/, 'no body'],
  ['readProfile', /^answer-shape$/, /^\{_links.*\}$/],
  ['*', /^answer-shape$/, /^\{.*_links\??: \{self\??: \{href\??: string\}\}\}$/],
  ['*', /^error-shape$/, 'application/json {timestamp, status, message, path}'],
  ['*', /^wrong-type:(storyId|FromClientId|TypeName|TypeVersion)$/, 'accepted as text'],
  ['*', /^wrong-type:(reports|Files|IsSetDefaultTypeVersion|items|gender|contextData)$/, 'refused with 400'],
  ['*', /^allowed-values:gender$/, '0, 1, 2, 3, 9, 100; not -1'],
  ['*', /^allowed-values:status$/, '"online", "away", "sextant-invented"; not ""'],
  [lists, /^paging$/, 'page/size, first index 0, oldest first'],
  ['*', /^languages$/, /^en of 16 tried; an unknown one falls back$/],
]);
