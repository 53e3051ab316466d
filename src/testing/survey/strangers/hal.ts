import { randomUUID } from 'node:crypto';
import { halTruth } from './hal.truth.ts';
import { apiClient, HttpError, principal, principals, read } from './hal-requests.ts';
import { type Entity, link, Repository, resource } from './hal-resources.ts';
import type { Incoming, Outgoing, StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Hypermedia: ids are links, lists are embedded, errors carry a timestamp and their path. Clones take the source's version.

const PAGE_SIZE = 25;

function make(): StrangerHandler {
  const [blocks, loves] = [new Repository(), new Repository()];
  const avatars = new Set<string>();
  const people = new Map<string, Record<string, unknown>>();
  const things = new Map([
    ['t-1', 'auth0|nora'],
    ['t-2', 'auth0|nora'],
    ['t-3', 'auth0|nora'],
    ['t-4', 'auth0|nora'],
  ]);

  const listed = (all: readonly Entity[], side: 'owner' | 'target', page: number, size: number) => {
    const count = size > 0 ? Math.min(size, PAGE_SIZE) : PAGE_SIZE;
    const content = all.slice(page * count, (page + 1) * count);
    return resource(
      200,
      { href: '/friends/block' },
      {
        _embedded: {
          users: content.map((each) => ({ since: each.createdAt, _links: { user: link('users', each[side]) } })),
        },
        page: { number: page, size: count, totalElements: all.length },
      },
    );
  };

  const love = (me: string, storyId: string, wanted: boolean) => {
    if (storyId !== 'once-upon') throw new HttpError(404, 'Story not found');
    const known = loves.find(me, storyId);
    if (wanted && !known) loves.save(me, storyId);
    if (!wanted && known) loves.remove(known);
    return resource(200, link('stories', storyId), { lovedByYou: wanted });
  };

  const routes: readonly (readonly [
    method: string,
    path: RegExp,
    run: (incoming: Incoming, found: readonly string[]) => Outgoing,
  ])[] = [
    [
      'POST',
      /^\/v1\/friends\/block$/,
      (incoming, _found) => {
        const me = principal(incoming);
        const friendId = String(read(incoming, { friendId: 'text' })['friendId']);
        const known = blocks.find(me, friendId);
        return resource(known ? 200 : 201, link('users', friendId), {
          since: (known ?? blocks.save(me, friendId)).createdAt,
        });
      },
    ],
    [
      'POST',
      /^\/v1\/friends\/unblock$/,
      (incoming, _found) => {
        const me = principal(incoming);
        const known = blocks.find(me, String(read(incoming, { friendId: 'text' })['friendId']));
        if (known) blocks.remove(known);
        return { status: 204 };
      },
    ],
    [
      'GET',
      /^\/v1\/friends\/block\/(me\/)?(\d+)\/(\d+)$/,
      (incoming, found) => {
        const me = principal(incoming);
        const all = found[1] ? blocks.aimedAt(me) : blocks.ownedBy(me);
        return listed(all, found[1] ? 'owner' : 'target', Number(found[2]), Number(found[3]));
      },
    ],
    [
      'POST',
      /^\/v1\/stories\/(love|unlove)$/,
      (incoming, found) =>
        love(principal(incoming), String(read(incoming, { storyId: 'text' })['storyId']), found[1] === 'love'),
    ],
    [
      'GET',
      /^\/v1\/reports\/opt\/([A-Za-z-]+)$/,
      (incoming, found) => {
        principal(incoming);
        const codes = found[1]?.toLowerCase().startsWith('en')
          ? ['SEXUALLY_INAPPROPRIATE', 'HATEFUL', 'MISLEADING']
          : [];
        return resource(200, link('options', found[1] ?? ''), {
          options: codes.map((value) => ({ value, nonce: randomUUID() })),
        });
      },
    ],
    [
      'POST',
      /^\/v1\/stories\/report$/,
      (incoming, _found) => {
        principal(incoming);
        const { storyId, message } = read(incoming, { storyId: 'text', reports: 'list', message: 'text?' });
        if (storyId !== 'once-upon') throw new HttpError(404, 'Story not found');
        if (String(message ?? '').length > 500) throw new HttpError(400, 'Validation failed: message');
        return resource(201, link('reports', randomUUID()));
      },
    ],
    [
      'POST',
      /^\/v1\/apikey\/type\/clone$/,
      (incoming, _found) => {
        apiClient(incoming, []);
        const body = read(incoming, {
          FromClientId: 'text',
          TypeName: 'text',
          TypeVersion: 'text',
          Files: 'list?',
          IsSetDefaultTypeVersion: 'flag?',
        });
        const isKnown =
          body['FromClientId'] === 'catalog' && body['TypeName'] === 'poster' && body['TypeVersion'] === '4.2';
        if (!isKnown) throw new HttpError(404, 'No such version of a type');
        return resource(201, link('types', randomUUID()), { version: '4.2' });
      },
    ],
    [
      'POST',
      /^\/v1\/avatar$/,
      (incoming, _found) => {
        const me = principal(incoming);
        read(incoming, { includes: 'text?', name: 'text', meta: 'text?', items: 'list?' });
        const status = avatars.has(me) ? 200 : 201;
        avatars.add(me);
        return resource(status, link('avatars', me));
      },
    ],
    [
      'PUT',
      /^\/v1\/profile$/,
      (incoming, _found) => {
        const me = principal(incoming);
        const { includes, ...fields } = read(incoming, {
          includes: 'text?',
          name: 'text?',
          status: 'text?',
          url: 'text?',
          gender: 'whole?',
        });
        if (Number(fields['gender'] ?? 0) < 0) throw new HttpError(400, 'Validation failed: gender');
        const named =
          includes === undefined
            ? Object.keys(fields)
            : String(includes)
                .split(';')
                .map((name) => name.replace('avartarUrl', 'url'));
        people.set(me, {
          ...people.get(me),
          ...Object.fromEntries(Object.entries(fields).filter(([name]) => named.includes(name))),
        });
        return resource(200, link('users', me), people.get(me));
      },
    ],
    [
      'GET',
      /^\/v1\/users\/([^/]+)\/profile$/,
      (incoming, found) => {
        principal(incoming);
        const id = decodeURIComponent(found[1] ?? '');
        if (![...principals.values()].includes(id)) throw new HttpError(404, 'User not found');
        return resource(200, link('users', id), people.get(id));
      },
    ],
    [
      'POST',
      /^\/v1\/apikey\/feature$/,
      (incoming, _found) => {
        apiClient(incoming, ['mm-user-id']);
        const { key, default: fallback } = read(incoming, { key: 'text', default: 'text?', contextData: 'map?' });
        return resource(200, link('flags', String(key)), {
          value: key === 'ribbon' ? 'blue' : (fallback ?? null),
          evaluatedAt: new Date().toISOString(),
        });
      },
    ],
    [
      'DELETE',
      /^\/v1\/features\/story\/([^/]+)$/,
      (incoming, found) => {
        const me = principal(incoming);
        if (things.get(decodeURIComponent(found[1] ?? '')) !== me) throw new HttpError(404, 'Item not found');
        things.delete(decodeURIComponent(found[1] ?? ''));
        return { status: 204 };
      },
    ],
  ];

  const dispatch = (incoming: Incoming): Outgoing => {
    for (const [method, path, run] of routes) {
      const found = method === incoming.method ? path.exec(incoming.path) : null;
      if (found) return run(incoming, found);
    }
    principal(incoming);
    throw new HttpError(404, 'No message available');
  };

  return (incoming) => {
    try {
      return dispatch(incoming);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { status, message } = error;
      return { status, body: { timestamp: new Date().toISOString(), status, message, path: incoming.path } };
    }
  };
}

export const hal: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'hal-web',
    USER_ID: 'auth0|nora',
    FRIEND_USER_ID: 'auth0|otto',
    ACCESS_TOKEN: 'bm9yYXxzZXNzaW9u',
    FRIEND_ACCESS_TOKEN: 'b3R0b3xzZXNzaW9u',
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
  truth: halTruth,
};
