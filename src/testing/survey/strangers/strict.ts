import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';
import { strictTruth } from './strict.truth.ts';

// Validates all input against a table of constraints, rejects with problem+json, and knows who and what exists.

interface Rule {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly required?: true;
  readonly max?: number;
  readonly values?: readonly unknown[];
}

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  friend: { friendId: { type: 'string', required: true, max: 64 } },
  story: { storyId: { type: 'string', required: true, max: 64 } },
  report: {
    storyId: { type: 'string', required: true, max: 64 },
    reports: { type: 'array', required: true },
    message: { type: 'string', required: true, max: 140 },
  },
  clone: {
    FromClientId: { type: 'string', required: true },
    TypeName: { type: 'string', required: true },
    TypeVersion: { type: 'string', required: true, max: 40 },
    Files: { type: 'array', required: true },
    IsSetDefaultTypeVersion: { type: 'boolean', required: true },
  },
  avatar: {
    includes: { type: 'string', required: true },
    name: { type: 'string', required: true, max: 60 },
    meta: { type: 'string', required: true, max: 2_000 },
    items: { type: 'array', required: true },
  },
  profile: {
    includes: { type: 'string', required: true },
    name: { type: 'string', max: 60 },
    status: { type: 'string', max: 100 },
    url: { type: 'string', max: 2_048 },
    gender: { type: 'integer', values: [0, 1, 2] },
  },
  flag: {
    key: { type: 'string', required: true },
    default: { type: 'string', required: true },
    contextData: { type: 'object', required: true },
  },
};

function problem(status: number, title: string, errors?: readonly string[]): Outgoing {
  const body = { type: `https://problems.example/${status}`, title, status, ...(errors ? { errors } : {}) };
  return { status, type: 'application/problem+json', body: JSON.stringify(body) };
}

function violations(body: Record<string, unknown>, name: string): string[] {
  const known = rules[name] ?? {};
  const odd = Object.keys(body).filter((field) => !Object.hasOwn(known, field));
  const wrong = Object.entries(known).filter(([field, { type, required, max, values }]) => {
    const value = body[field];
    if (value === undefined) return required === true;
    const found = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
    if (found !== type) return true;
    return (max !== undefined && String(value).length > max) || (values !== undefined && !values.includes(value));
  });
  return [...odd.map((field) => `${field}: unexpected`), ...wrong.map(([field]) => `${field}: invalid`)];
}

const USERS: Readonly<Record<string, string>> = { 'eyJ.mila': 'mila', 'eyJ.noah': 'noah' };
const STORIES = ['the-lake', 'the-hill'];
const CODES = ['SEXUALLY_INAPPROPRIATE', 'BULLYING', 'FAKE', 'OTHER'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'];

const operations: readonly (readonly [method: string, path: RegExp, name: string, body?: string])[] = [
  ['POST', /^\/v1\/friends\/block$/, 'block', 'friend'],
  ['POST', /^\/v1\/friends\/unblock$/, 'unblock', 'friend'],
  ['GET', /^\/v1\/friends\/block\/(\d{1,6})\/(\d{1,6})$/, 'blocked'],
  ['GET', /^\/v1\/friends\/block\/me\/(\d{1,6})\/(\d{1,6})$/, 'blockers'],
  ['POST', /^\/v1\/stories\/love$/, 'love', 'story'],
  ['POST', /^\/v1\/stories\/unlove$/, 'unlove', 'story'],
  ['GET', /^\/v1\/reports\/opt\/([a-z]{2})$/, 'options'],
  ['POST', /^\/v1\/stories\/report$/, 'report', 'report'],
  ['POST', /^\/v1\/apikey\/type\/clone$/, 'clone', 'clone'],
  ['POST', /^\/v1\/avatar$/, 'avatar', 'avatar'],
  ['PUT', /^\/v1\/profile$/, 'profile', 'profile'],
  ['GET', /^\/v1\/profile\/(\w+)\/card$/, 'card'],
  ['POST', /^\/v1\/apikey\/feature$/, 'flag', 'flag'],
  ['DELETE', /^\/v1\/features\/story\/([\w-]+)$/, 'delete'],
];

function refusedAtTheDoor({ headers }: Incoming, name: string): Outgoing | undefined {
  const byKey = name === 'clone' || name === 'flag';
  const needed = ['mm-client-id', ...(name === 'clone' ? [] : ['mm-user-id']), ...(name === 'flag' ? APP : [])];
  if (byKey ? !headers['mm-api-key'] : !headers['authorization']) return problem(401, 'Unauthenticated');
  const absent = needed.filter((header) => !headers[header]);
  if (absent.length > 0) return problem(400, 'Missing header', absent);
  if (byKey)
    return headers['mm-api-key'] === 'sk_live_1' && headers['mm-client-id'] === 'studio'
      ? undefined
      : problem(403, 'Key not valid');
  const user = USERS[/^bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''];
  if (!user) return problem(401, 'Unauthenticated');
  return user === headers['mm-user-id'] && headers['mm-client-id'] === 'studio' ? undefined : problem(403, 'Not yours');
}

const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];

/** The valid body. */
type Body = Readonly<
  Record<'friendId' | 'storyId' | 'FromClientId' | 'TypeName' | 'TypeVersion' | 'key' | 'default', string>
> & {
  readonly reports: readonly string[];
};

function make(): StrangerHandler {
  const known = new Set(Object.values(USERS));
  const blocks: [string, string][] = [];
  const loves = new Set<string>();
  const avatars = new Set<string>();
  const versions = new Set<string>();
  const cards = new Map<string, Record<string, unknown>>();
  const files = new Set(['doc-a', 'doc-b', 'doc-c']);
  const slice = (all: readonly string[], [skip, take]: readonly string[]) => ({
    status: 200,
    body: {
      users: all
        .toReversed()
        .slice(Number(skip), Number(skip) + Math.min(Number(take), 30))
        .map((id) => ({ id })),
    },
  });

  const act: Record<string, (me: string, body: Body, parts: readonly string[]) => Outgoing> = {
    block: (me, { friendId }) => {
      if (!known.has(friendId)) return problem(404, 'No such user');
      if (blocks.some(([a, b]) => a === me && b === friendId)) return problem(409, 'Blocked already');
      blocks.push([me, friendId]);
      return { status: 201, body: { blocked: friendId } };
    },
    unblock: (me, { friendId }) => {
      const at = blocks.findIndex(([a, b]) => a === me && b === friendId);
      if (at < 0) return problem(404, 'Not blocked');
      blocks.splice(at, 1);
      return { status: 204 };
    },
    blocked: (me, _, parts) =>
      slice(
        blocks.filter(([a]) => a === me).map(([, b]) => b),
        parts,
      ),
    blockers: (me, _, parts) =>
      slice(
        blocks.filter(([, b]) => b === me).map(([a]) => a),
        parts,
      ),
    love: (me, { storyId }) => {
      if (!STORIES.includes(storyId)) return problem(404, 'No such story');
      if (loves.has(me + storyId)) return problem(409, 'Loved already');
      loves.add(me + storyId);
      return { status: 204 };
    },
    unlove: (me, { storyId }) => {
      if (!STORIES.includes(storyId)) return problem(404, 'No such story');
      return loves.delete(me + storyId) ? { status: 204 } : problem(409, 'Not loved');
    },
    options: (_, __, [language = '']) =>
      LANGUAGES.includes(language)
        ? { status: 200, body: CODES.map((code) => ({ code, title: `${language}:${code.toLowerCase()}` })) }
        : problem(404, 'No such language'),
    report: (_, { storyId, reports }) => {
      if (!STORIES.includes(storyId)) return problem(404, 'No such story');
      if (reports.some((code) => !CODES.includes(code))) return problem(400, 'Invalid', ['reports']);
      return { status: 202 };
    },
    clone: (_, { FromClientId, TypeName, TypeVersion }) => {
      if (FromClientId !== 'template-house' || TypeName !== 'frame') return problem(404, 'No such type');
      if (versions.has(TypeVersion)) return problem(409, 'Version exists');
      versions.add(TypeVersion);
      return { status: 201, body: { version: TypeVersion } };
    },
    avatar: (me) => {
      const isNew = !avatars.has(me);
      avatars.add(me);
      return { status: isNew ? 201 : 200, body: { owner: me } };
    },
    profile: (me, body) => {
      const { includes, ...fields } = body as Readonly<Record<string, unknown>>;
      const named = String(includes)
        .split(';')
        .map((name) => (name === 'avartarUrl' ? 'url' : name));
      const applied = Object.entries(fields).filter(([name]) => named.includes(name));
      cards.set(me, { ...cards.get(me), ...Object.fromEntries(applied) });
      return { status: 204 };
    },
    card: (_, __, [id = '']) =>
      known.has(id) ? { status: 200, body: { id, ...cards.get(id) } } : problem(404, 'No such user'),
    flag: (_, { key, default: fallback }) => ({ status: 200, body: { result: key === 'night' ? 'B' : fallback } }),
    delete: (_, __, [id = '']) => (files.delete(id) ? { status: 204 } : problem(404, 'No such item')),
  };

  return (incoming) => {
    const here = operations.filter(([, path]) => path.test(incoming.path));
    if (here.length === 0) return problem(404, 'No such path');
    const [, path, name, schema] = here.find(([method]) => method === incoming.method) ?? [];
    if (!path || !name) return problem(405, 'Method not allowed');
    const refused = refusedAtTheDoor(incoming, name);
    if (refused) return refused;
    let body = {};
    if (schema) {
      if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? '')) return problem(415, 'JSON only');
      const given = parse(incoming.text);
      if (!isRecord(given)) return problem(400, 'Not a JSON object');
      const errors = violations(given, schema);
      if (errors.length > 0) return problem(400, 'Invalid', errors);
      body = given;
    }
    const parts = (path.exec(incoming.path) ?? []).slice(1);
    return (act[name] as NonNullable<(typeof act)[string]>)(incoming.headers['mm-user-id'] ?? '', body as Body, parts);
  };
}

export const strict: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'studio',
    USER_ID: 'mila',
    FRIEND_USER_ID: 'noah',
    ACCESS_TOKEN: 'eyJ.mila',
    FRIEND_ACCESS_TOKEN: 'eyJ.noah',
    API_KEY: 'sk_live_1',
    BLOCK_LIST_SEGMENTS: '0/30',
    STORY_ID: 'the-lake',
    FLAG_KEY: 'night',
    FROM_CLIENT_ID: 'template-house',
    TYPE_NAME: 'frame',
    TYPE_VERSION: '1',
    STORED_ITEM_IDS: 'doc-a,doc-b,doc-c',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}/card',
  },
  truth: strictTruth,
};
