import { type Body, house, Stopped } from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Stores everything in maps and returns maps; coerces its input, and ignores `includes`.

interface Account {
  readonly blocked: Record<string, { since: number }>;
  readonly loved: Set<string>;
  profile: Body;
}

const done = (rest: object = {}): Outgoing => ({ status: 200, body: { ok: true, ...rest } });

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  user: ['authorization', 'mm-client-id', 'mm-user-id'],
  type: ['mm-client-id', 'mm-api-key'],
  feature: ['mm-client-id', 'mm-user-id', 'mm-api-key', 'app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'],
};
const TOKENS = ['map:kay:5150', 'map:lee:5150'];
const REASONS = { SEXUALLY_INAPPROPRIATE: 'Sexual', VIOLENT: 'Violent', SPAM: 'Spam', COPYRIGHT: 'Copyright' };
const GERMAN = { SEXUALLY_INAPPROPRIATE: 'Sexuell', VIOLENT: 'Gewalt', SPAM: 'Spam', COPYRIGHT: 'Urheberrecht' };

function enter({ path, headers }: Incoming): void {
  const kind = path.endsWith('/feature') ? 'feature' : path.endsWith('/clone') ? 'type' : 'user';
  for (const name of REQUIRED[kind] ?? []) if (!headers[name]) throw new Stopped(400, `E_HEADER ${name}`);
  const isFine =
    kind === 'user'
      ? TOKENS.includes((headers['authorization'] ?? '').replace(/^bearer /, ''))
      : headers['mm-api-key'] === 'map-key-5150';
  if (!isFine) throw new Stopped(403, `E_CREDENTIAL ${kind}`);
}

/** A field that must hold something, as a text. */
function filled(body: Body, name: string): string {
  if (body[name] === undefined || body[name] === '') throw new Stopped(400, `E_FIELD ${name}`);
  return String(body[name]);
}

function storyOf(storyId: unknown): string {
  if (!String(storyId).startsWith('S:')) throw new Stopped(404, 'E_STORY unknown');
  return String(storyId);
}

const make = () => {
  const accounts = new Map<string, Account>();
  const files = new Set(['F:1', 'F:2', 'F:3', 'F:4']);
  let clock = 0;
  const of = (id: string): Account => {
    const account = accounts.get(id) ?? { blocked: {}, loved: new Set(), profile: {} };
    accounts.set(id, account);
    return account;
  };
  const section = (map: Record<string, { since: number }>, [from, to]: readonly string[]) => {
    const newest = Object.entries(map).sort(([, a], [, b]) => b.since - a.since);
    const page = newest.slice(Number(from), Math.min(Number(to), Number(from) + 40));
    return done({ users: Object.fromEntries(page), more: newest.length > Number(from) + page.length });
  };
  return house({
    show: 'POST /v1/whois/*',
    entersFirst: true,
    enter,
    refused: (status, what) => {
      const [code, ...detail] = what.split(' ');
      const error = { code, detail: detail.join(' '), ref: Math.random().toString(36).slice(2, 10) };
      return { status, body: { ok: false, error } };
    },
    actions: {
      block: (me, body) => {
        of(me).blocked[filled(body, 'friendId')] ??= { since: ++clock };
        return done();
      },
      unblock: (me, body) => {
        delete of(me).blocked[filled(body, 'friendId')];
        return done();
      },
      blocked: (me, _, parts) => section(of(me).blocked, parts),
      blockers: (me, _, parts) => {
        const found = [...accounts].filter(([, { blocked }]) => Object.hasOwn(blocked, me));
        return section(Object.fromEntries(found.map(([by, { blocked }]) => [by, blocked[me] ?? { since: 0 }])), parts);
      },
      love: (me, body) => done({ loved: of(me).loved.add(storyOf(filled(body, 'storyId'))).size }),
      unlove: (me, body) => {
        if (!of(me).loved.delete(filled(body, 'storyId'))) throw new Stopped(404, 'E_STORY not loved');
        return done({ loved: of(me).loved.size });
      },
      options: (_, __, [language]) => done({ reasons: language === 'de' ? GERMAN : REASONS }),
      report: (_, { storyId, reports = [] }) => {
        storyOf(storyId);
        const codes = [reports].flat().map(String);
        if (codes.some((code) => !Object.hasOwn(REASONS, code))) throw new Stopped(400, `E_CODE ${codes}`);
        return done();
      },
      clone: (_, { FromClientId, TypeName }) => {
        if (!FromClientId || !TypeName) throw new Stopped(400, 'E_FIELD FromClientId, TypeName');
        return done({ copy: `${TypeName}~1` });
      },
      avatar: (_, { items = [] }) => done({ layers: [items].flat().length }),
      profile: (me, { includes: _, ...fields }) => {
        of(me).profile = { ...of(me).profile, ...fields };
        return done();
      },
      show: (_, __, [id = '']) => done({ [id]: { profile: accounts.get(id)?.profile ?? null } }),
      feature: (_, { key, default: fallback = '' }) =>
        done({ flags: { [String(key)]: key === 'F-1' ? 'green' : fallback } }),
      item: (_, __, [id = '']) => {
        if (!files.delete(id)) throw new Stopped(410, `E_GONE ${id}`);
        return done({ removed: { [id]: true } });
      },
    },
  });
};

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
    OTHER_STORY_ID: 'S:10',
    FLAG_KEY: 'F-1',
    FROM_CLIENT_ID: 'map-source',
    TYPE_NAME: 'room',
    TYPE_VERSION: '7',
    STORED_ITEM_IDS: 'F:1,F:2,F:3,F:4',
  },
  truth: [
    ['*', /^answer-shape$/, /^\{ok\??: boolean.*\}$/],
    ['*', /^missing-header:/, 'refused with 400'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 403'],
    ['*', /^wrong-header:/, 'accepted'],
    ['*', /^scheme-case$/, 'only bearer'],
    ['*', /^token-user$/, 'not tied'],
    ['*', /^error-shape$/, 'application/json {ok, error: {code, detail, ref}}'],
    ['block unblock love unlove', /^required-field:/, 'required, else 400'],
    ['report', /^required-field:storyId$/, 'required, else 404'],
    ['cloneType', /^required-field:(FromClientId|TypeName)$/, 'required, else 400'],
    ['love unlove', /^wrong-type:storyId$/, 'accepted as text'],
    ['report', /^wrong-type:reports$/, 'refused with 400'],
    ['unlove', /^(repeat|unknown-story)$/, 'refused with 404'],
    ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 410'],
    ['*', /^(repeat|unknown-user|unknown-language)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, /^from\/to, first index 0, (cap 40|no cap up to \d+), newest first$/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, COPYRIGHT, SPAM, VIOLENT'],
    ['*', /^languages$/, 'de, en of 16 tried; an unknown one falls back'],
    ['*', /^includes-effect$/, 'none: every field given is applied'],
    ['*', /^own-request$/, /^/],
  ],
};
