import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Stores everything in maps and returns maps; coerces its input, and ignores `includes`.

interface Account {
  readonly blocked: Record<string, { since: number }>;
  readonly loved: Record<string, true>;
  readonly reported: Record<string, string[]>;
  profile: Record<string, unknown>;
  avatar?: Record<string, unknown>;
}

const done = (rest: object = {}): Outgoing => ({ status: 200, body: { ok: true, ...rest } });
const refusal = (status: number, code: string, detail: string): Outgoing => ({
  status,
  body: { ok: false, error: { code, detail, ref: Math.random().toString(36).slice(2, 10) } },
});

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  user: ['authorization', 'mm-client-id', 'mm-user-id'],
  type: ['mm-client-id', 'mm-api-key'],
  feature: ['mm-client-id', 'mm-user-id', 'mm-api-key', 'app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'],
};

const TOKENS = ['map:kay:5150', 'map:lee:5150'];
const REASONS = { SEXUALLY_INAPPROPRIATE: 'Sexual', VIOLENT: 'Violent', SPAM: 'Spam', COPYRIGHT: 'Copyright' };
const GERMAN = { SEXUALLY_INAPPROPRIATE: 'Sexuell', VIOLENT: 'Gewalt', SPAM: 'Spam', COPYRIGHT: 'Urheberrecht' };

class MapStore {
  readonly accounts = new Map<string, Account>();
  readonly files: Record<string, true> = { 'F:1': true, 'F:2': true, 'F:3': true, 'F:4': true };

  of(id: string): Account {
    const account = this.accounts.get(id) ?? { blocked: {}, loved: {}, reported: {}, profile: {} };
    this.accounts.set(id, account);
    return account;
  }

  blockersOf(id: string): Record<string, { since: number }> {
    const found = [...this.accounts].filter(([, { blocked }]) => Object.hasOwn(blocked, id));
    return Object.fromEntries(found.map(([by, { blocked }]) => [by, blocked[id] ?? { since: 0 }]));
  }
}

function section(map: Record<string, { since: number }>, from: number, to: number): Outgoing {
  const newest = Object.entries(map).sort(([, a], [, b]) => b.since - a.since);
  const page = newest.slice(from, Math.min(to, from + 40));
  return done({ users: Object.fromEntries(page), more: newest.length > from + page.length });
}

type Action = (store: MapStore, me: string, input: Record<string, string>, body: Record<string, unknown>) => Outgoing;

let clock = 0;

const actions: Readonly<Record<string, Action>> = {
  'POST /v1/friends/block': (store, me, _, { friendId }) => {
    if (friendId === undefined || friendId === '') return refusal(400, 'E_FIELD', 'friendId');
    store.of(me).blocked[String(friendId)] ??= { since: ++clock };
    return done();
  },
  'POST /v1/friends/unblock': (store, me, _, { friendId }) => {
    if (friendId === undefined || friendId === '') return refusal(400, 'E_FIELD', 'friendId');
    delete store.of(me).blocked[String(friendId)];
    return done();
  },
  'GET /v1/friends/block/:a/:b': (store, me, { a, b }) => section(store.of(me).blocked, Number(a), Number(b)),
  'GET /v1/friends/block/me/:a/:b': (store, me, { a, b }) => section(store.blockersOf(me), Number(a), Number(b)),
  'POST /v1/stories/love': (store, me, _, { storyId }) => {
    if (!storyId) return refusal(400, 'E_FIELD', 'storyId');
    if (!String(storyId).startsWith('S:')) return refusal(404, 'E_STORY', 'unknown');
    store.of(me).loved[String(storyId)] = true;
    return done({ loved: Object.keys(store.of(me).loved).length });
  },
  'POST /v1/stories/unlove': (store, me, _, { storyId }) => {
    if (!storyId) return refusal(400, 'E_FIELD', 'storyId');
    if (!store.of(me).loved[String(storyId)]) return refusal(404, 'E_STORY', 'not loved');
    delete store.of(me).loved[String(storyId)];
    return done({ loved: Object.keys(store.of(me).loved).length });
  },
  'GET /v1/reports/opt/:language': (_, __, { language }) => done({ reasons: language === 'de' ? GERMAN : REASONS }),
  'POST /v1/stories/report': (store, me, _, { storyId, reports = [], message = '' }) => {
    if (!String(storyId).startsWith('S:')) return refusal(404, 'E_STORY', 'unknown');
    const codes = [reports].flat().map(String);
    if (codes.some((code) => !Object.hasOwn(REASONS, code))) return refusal(400, 'E_CODE', codes.join());
    store.of(me).reported[`${storyId} ${String(message).length}`] = codes;
    return done();
  },
  'POST /v1/apikey/type/clone': (_, __, ___, { FromClientId, TypeName }) =>
    FromClientId && TypeName ? done({ copy: `${TypeName}~1` }) : refusal(400, 'E_FIELD', 'FromClientId, TypeName'),
  'POST /v1/avatar': (store, me, _, body) => {
    store.of(me).avatar = body;
    return done({ layers: [body['items'] ?? []].flat().length });
  },
  'PUT /v1/profile': (store, me, _, { includes: __, ...fields }) => {
    store.of(me).profile = { ...store.of(me).profile, ...fields };
    return done();
  },
  'POST /v1/whois/:id': (store, _, { id = '' }) => done({ [id]: { profile: store.accounts.get(id)?.profile ?? null } }),
  'POST /v1/apikey/feature': (_, __, ___, { key, default: fallback = '' }) =>
    done({ flags: { [String(key)]: key === 'F-1' ? 'green' : fallback } }),
  'DELETE /v1/features/story/:id': (store, _, { id = '' }) => {
    if (!store.files[id]) return refusal(410, 'E_GONE', id);
    delete store.files[id];
    return done({ removed: { [id]: true } });
  },
};

const compiled = Object.entries(actions).map(([route, action]) => {
  const [method = '', pattern = ''] = route.split(' ');
  const numeric = pattern.replace(/:[ab]\b/g, '(\\d+)').replace(/:\w+/g, '([^/]+)');
  return {
    method,
    names: [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    path: new RegExp(`^${numeric}$`),
    action,
  };
});

function unauthorized({ path, headers }: Incoming): Outgoing | undefined {
  const kind = path.endsWith('/feature') ? 'feature' : path.endsWith('/clone') ? 'type' : 'user';
  for (const name of REQUIRED[kind] ?? []) if (!headers[name]) return refusal(400, 'E_HEADER', name);
  const isFine =
    kind === 'user'
      ? TOKENS.includes((headers['authorization'] ?? '').replace(/^bearer /, ''))
      : headers['mm-api-key'] === 'map-key-5150';
  return isFine ? undefined : refusal(403, 'E_CREDENTIAL', kind);
}

function make(): StrangerHandler {
  const store = new MapStore();
  return (incoming) => {
    const refused = unauthorized(incoming);
    if (refused) return refused;
    const here = compiled.filter(({ path }) => path.test(incoming.path));
    const route = here.find(({ method }) => method === incoming.method);
    if (!route) return here.length > 0 ? refusal(405, 'E_METHOD', incoming.method) : refusal(404, 'E_PATH', '');
    const values = (route.path.exec(incoming.path) ?? []).slice(1).map(decodeURIComponent);
    const input = Object.fromEntries(route.names.map((name, index) => [name, values[index] ?? '']));
    const body = incoming.text === '' ? {} : parse(incoming.text);
    if (!isRecord(body)) return refusal(400, 'E_JSON', 'not an object');
    return route.action(store, incoming.headers['mm-user-id'] ?? '', input, body);
  };
}

export const keyed: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'map-client',
    USER_ID: 'kay',
    FRIEND_USER_ID: 'lee',
    ACCESS_TOKEN: 'map:kay:5150',
    FRIEND_ACCESS_TOKEN: undefined,
    API_KEY: 'map-key-5150',
    STORY_ID: 'S:1',
    FLAG_KEY: 'F-1',
    FROM_CLIENT_ID: 'map-source',
    TYPE_NAME: 'room',
    TYPE_VERSION: '7',
    STORED_ITEM_IDS: 'F:1,F:2,F:3,F:4',
  },
  truth: [
    ['*', /^success-status$/, /^200(; the first save .*)?$/],
    ['*', /^answer-shape$/, /^\{ok\??: boolean.*\}$/],
    ['*', /^missing-header:/, 'refused with 400'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 403'],
    ['*', /^wrong-header:/, 'accepted'],
    ['*', /^scheme-case$/, 'only bearer'],
    ['*', /^token-user$/, 'not tied'],
    ['*', /^method-not-allowed$/, 'refused with 405'],
    ['*', /^error-shape$/, 'application/json {ok, error: {code, detail, ref}}'],
    ['block unblock love unlove', /^required-field:/, 'required, else 400'],
    ['report', /^required-field:storyId$/, 'required, else 404'],
    ['cloneType', /^required-field:(FromClientId|TypeName)$/, 'required, else 400'],
    ['*', /^required-field:/, 'optional'],
    ['love unlove', /^wrong-type:storyId$/, 'accepted as text'],
    ['report', /^wrong-type:reports$/, 'refused with 400'],
    ['*', /^(wrong-type:|unknown-field$|missing-content-type$)/, 'accepted'],
    ['*', /^malformed-json$/, 'refused with 400'],
    ['*', /^text-limit:/, 'none up to 10000 characters'],
    ['*', /^allowed-values:/, /^all that were tried: /],
    ['unlove', /^(repeat|unknown-story)$/, 'refused with 404'],
    ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 410'],
    ['*', /^unknown-story$/, 'refused with 404'],
    ['*', /^unknown-code$/, 'refused with 400'],
    ['*', /^(repeat|unknown-user|unknown-language)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, /^from\/to, first index 0, (cap 40|no cap up to \d+), newest first$/],
    ['*', /^block-visible$/, 'at once'],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, COPYRIGHT, SPAM, VIOLENT'],
    ['*', /^languages$/, 'de, en of 16 tried; an unknown one falls back'],
    ['*', /^default-fallback$/, 'the default, unchanged'],
    ['*', /^includes-effect$/, 'none: every field given is applied'],
    ['*', /^own-request$/, /^/],
  ],
};
