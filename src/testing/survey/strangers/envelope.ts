import { envelopeTruth } from './envelope.truth.ts';
import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';

// The status is always 200; a code in the envelope signals success. Pages are numbered from 1, with 20 entries at most.

const ok = (data: unknown = null): Outgoing => ({ status: 200, body: { code: 0, msg: 'success', data } });
const fail = (code: number, msg: string): Outgoing => ({ status: 200, body: { code, msg, data: null } });

const accounts: Record<string, string> = { 'tk-99110': '10001', 'tk-99220': '10002' };
const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];
const OPTIONS: Record<string, string[]> = {
  en: ['SEXUALLY_INAPPROPRIATE', 'ADS', 'ABUSE'],
  zh: ['SEXUALLY_INAPPROPRIATE', 'ADS', 'ABUSE'],
};
const WORKS = new Set(['w-500', 'w-501']);

class Refused extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`error ${code}`);
    this.code = code;
  }
}

function checkUser({ headers }: Incoming): string {
  for (const name of ['authorization', 'mm-client-id', 'mm-user-id']) if (!headers[name]) throw new Refused(40001);
  const user = accounts[(headers['authorization'] ?? '').replace(/^bearer /i, '')];
  if (!user) throw new Refused(40101);
  if (user !== headers['mm-user-id']) throw new Refused(40301);
  if (headers['mm-client-id'] !== 'app-31') throw new Refused(40302);
  return user;
}

function checkKey({ headers }: Incoming, also: readonly string[]): void {
  for (const name of ['mm-client-id', 'mm-api-key', ...also]) if (!headers[name]) throw new Refused(40001);
  if (headers['mm-api-key'] !== 'ak-447700' || headers['mm-client-id'] !== 'app-31') throw new Refused(40102);
}

/** The body, if each of its `needed` fields has its type. */
function bodyOf({ text, headers }: Incoming, needed: Readonly<Record<string, string>>): Record<string, unknown> {
  if (!headers['content-type']?.startsWith('application/json')) throw new Refused(41500);
  const body = parse(text);
  if (!isRecord(body)) throw new Refused(40002);
  for (const [name, type] of Object.entries(needed)) {
    const value = body[name];
    const found = Array.isArray(value) ? 'array' : typeof value;
    const isOptional = type.endsWith('?');
    if (value === undefined ? !isOptional : found !== type.replace('?', '')) throw new Refused(40003);
  }
  return body;
}

function make(): StrangerHandler {
  const relations = new Map<string, Set<string>>();
  const liked = new Set<string>();
  const reported = new Set<string>();
  const avatars = new Set<string>();
  const profiles = new Map<string, Record<string, unknown>>([
    ['10001', {}],
    ['10002', {}],
  ]);
  const stored = new Set(['k1', 'k2', 'k3', 'k4']);
  const of = (user: string) => relations.get(user) ?? relations.set(user, new Set()).get(user) ?? new Set<string>();
  const pageOf = (all: readonly string[], page: string, size: string) => {
    if (Number(page) < 1 || Number(size) < 1) throw new Refused(40004);
    const count = Math.min(Number(size), 20);
    const list = all.slice((Number(page) - 1) * count, Number(page) * count);
    return ok({ total: all.length, list: list.map((uid) => ({ uid, nick: `nick ${uid.length}` })) });
  };

  function respond(incoming: Incoming): Outgoing {
    const [route, ...parts] = routeOf(incoming);
    switch (route) {
      case 'POST friends/block': {
        const me = checkUser(incoming);
        of(me).add(bodyOf(incoming, { friendId: 'string' })['friendId'] as string);
        return ok();
      }
      case 'POST friends/unblock': {
        const me = checkUser(incoming);
        of(me).delete(bodyOf(incoming, { friendId: 'string' })['friendId'] as string);
        return ok();
      }
      case 'GET friends/block':
        return pageOf([...of(checkUser(incoming))], parts[0] ?? '', parts[1] ?? '');
      case 'GET friends/block/me': {
        const me = checkUser(incoming);
        const by = [...relations].filter(([, whom]) => whom.has(me)).map(([user]) => user);
        return pageOf(by, parts[0] ?? '', parts[1] ?? '');
      }
      case 'POST stories/love':
      case 'POST stories/unlove': {
        const me = checkUser(incoming);
        const { storyId } = bodyOf(incoming, { storyId: 'string' });
        if (!WORKS.has(storyId as string)) throw new Refused(40401);
        const wasLiked = liked.has(`${me} ${storyId}`);
        if (route.endsWith('unlove')) liked.delete(`${me} ${storyId}`);
        else if (wasLiked) throw new Refused(40901);
        else liked.add(`${me} ${storyId}`);
        return ok({ liked: !route.endsWith('unlove') });
      }
      case 'GET reports/opt': {
        checkUser(incoming);
        const found = OPTIONS[parts[0] ?? ''];
        if (!found) throw new Refused(40402);
        return ok(found.map((key) => ({ key, text: `${parts[0]} ${key}` })));
      }
      case 'POST stories/report': {
        const me = checkUser(incoming);
        const { storyId, reports, message } = bodyOf(incoming, {
          storyId: 'string',
          reports: 'array',
          message: 'string?',
        });
        if (!WORKS.has(storyId as string)) throw new Refused(40401);
        if ((reports as string[]).some((each) => !OPTIONS['en']?.includes(each))) throw new Refused(40005);
        if (String(message ?? '').length > 200) throw new Refused(40006);
        reported.add(`${me} ${storyId}`);
        return ok({ ticket: reported.size });
      }
      case 'POST apikey/type/clone': {
        checkKey(incoming, []);
        bodyOf(incoming, {
          FromClientId: 'string',
          TypeName: 'string',
          TypeVersion: 'string',
          Files: 'array?',
          IsSetDefaultTypeVersion: 'boolean?',
        });
        return ok({ cloned: true });
      }
      case 'POST avatar': {
        const me = checkUser(incoming);
        bodyOf(incoming, { includes: 'string', name: 'string', meta: 'string', items: 'array' });
        const isNew = !avatars.has(me);
        avatars.add(me);
        return ok({ isNew });
      }
      case 'PUT profile': {
        const me = checkUser(incoming);
        const body = bodyOf(incoming, {
          includes: 'string',
          name: 'string?',
          status: 'string?',
          url: 'string?',
          gender: 'number?',
        });
        if (![undefined, 0, 1, 2, 9].includes(body['gender'] as number | undefined)) throw new Refused(40007);
        for (const name of String(body['includes']).split(';')) {
          const field = name === 'avartarUrl' ? 'url' : name;
          if (field in body) profiles.set(me, { ...profiles.get(me), [field]: body[field] });
        }
        return ok();
      }
      case 'GET profile': {
        checkUser(incoming);
        const found = profiles.get(parts[0] ?? '');
        if (!found) throw new Refused(40403);
        return ok({ uid: parts[0], ...found });
      }
      case 'POST apikey/feature': {
        checkKey(incoming, ['mm-user-id', ...APP]);
        if (!/^\d+$/.test(incoming.headers['app-ver'] ?? '')) throw new Refused(40008);
        const { key, default: fallback } = bodyOf(incoming, {
          key: 'string',
          default: 'string',
          contextData: 'object?',
        });
        return ok(key === 'beta' ? { on: true, val: 'yes' } : { on: false, val: fallback });
      }
      case 'DELETE features/story':
        checkUser(incoming);
        if (!stored.delete(parts[0] ?? '')) throw new Refused(40404);
        return ok();
      default:
        throw new Refused(40400);
    }
  }

  return (incoming) => {
    try {
      return respond(incoming);
    } catch (error) {
      if (error instanceof Refused) return fail(error.code, error.message);
      throw error;
    }
  };
}

/** `GET friends/block`, `1`, `20` of `GET /api/v1/friends/block/1/20`. */
function routeOf({ method, path }: Incoming): string[] {
  const rest = path.replace('/v1/', '');
  const [, head = rest, tail = ''] =
    /^(friends\/block(?:\/me)?(?=\/\d+\/\d+$)|reports\/opt|features\/story|profile(?=\/))\/?(.*)$/.exec(rest) ?? [];
  return [`${method} ${head}`, ...(tail ? tail.split('/').map(decodeURIComponent) : [])];
}

export const envelope: Stranger = {
  make,
  keys: {
    SUCCESS_WHEN: '/code=0',
    CLIENT_ID: 'app-31',
    USER_ID: '10001',
    FRIEND_USER_ID: '10002',
    ACCESS_TOKEN: 'tk-99110',
    FRIEND_ACCESS_TOKEN: 'tk-99220',
    API_KEY: 'ak-447700',
    APP_VER: '310',
    BLOCK_LIST_SEGMENTS: '1/20',
    STORY_ID: 'w-500',
    FLAG_KEY: 'beta',
    FROM_CLIENT_ID: 'app-07',
    TYPE_NAME: 'hat',
    TYPE_VERSION: '2',
    STORED_ITEM_IDS: 'k1,k2,k3,k4',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  },
  truth: envelopeTruth,
};
