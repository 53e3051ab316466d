import {
  anyBody,
  Blocks,
  type Body,
  breaches,
  house,
  included,
  type Row,
  type Schema,
  Stopped,
  usersOf,
  usualSchemas,
  window,
} from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// The status is always 200; a code in the envelope signals success. Pages are numbered from 1, with 20 entries at most.

const ok = (data: unknown = null): Outgoing => ({ status: 200, body: { code: 0, msg: 'success', data } });

const accounts: Record<string, string> = { 'tk-99110': '10001', 'tk-99220': '10002' };
const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];
const OPTIONS: Record<string, string[]> = {
  en: ['SEXUALLY_INAPPROPRIATE', 'ADS', 'ABUSE'],
  zh: ['SEXUALLY_INAPPROPRIATE', 'ADS', 'ABUSE'],
};
const WORKS = ['w-500', 'w-501'];

function enter({ headers, path }: Incoming): void {
  const need = (...names: readonly string[]) => {
    if (!names.every((name) => headers[name])) throw new Stopped(40001);
  };
  if (path.includes('/apikey/')) {
    const isFlag = path.endsWith('/feature');
    need('mm-client-id', 'mm-api-key', ...(isFlag ? ['mm-user-id', ...APP] : []));
    if (headers['mm-api-key'] !== 'ak-447700' || headers['mm-client-id'] !== 'app-31') throw new Stopped(40102);
    if (isFlag && !/^\d+$/.test(headers['app-ver'] ?? '')) throw new Stopped(40008);
    return;
  }
  need('authorization', 'mm-client-id', 'mm-user-id');
  const user = accounts[(headers['authorization'] ?? '').replace(/^bearer /i, '')];
  if (!user) throw new Stopped(40101);
  if (user !== headers['mm-user-id']) throw new Stopped(40301);
  if (headers['mm-client-id'] !== 'app-31') throw new Stopped(40302);
}

const schemas: Partial<Record<Row, Schema>> = {
  ...usualSchemas,
  report: { storyId: 'text', reports: 'list', message: 'text?200' },
  avatar: { includes: 'text', name: 'text', meta: 'text', items: 'list' },
  profile: { ...usualSchemas.profile, includes: 'text' },
  feature: { key: 'text', default: 'text', contextData: 'map?' },
};

function body(incoming: Incoming, row: Row): Body {
  if (!incoming.headers['content-type']?.startsWith('application/json')) throw new Stopped(41500);
  const given = anyBody(incoming);
  if (breaches(given, schemas[row] ?? {}).length > 0) throw new Stopped(40003);
  return given;
}

const make = () => {
  const blocks = new Blocks();
  const [liked, reported, avatars] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const profiles = new Map<string, Body>(Object.values(accounts).map((id) => [id, {}]));
  const stored = new Set(['k1', 'k2', 'k3', 'k4']);
  const listed = (all: readonly string[], [page, size]: readonly string[]) => {
    if (Number(page) < 1 || Number(size) < 1) throw new Stopped(40004);
    const count = Math.min(Number(size), 20);
    const list = window(all, (Number(page) - 1) * count, count);
    return ok({ total: all.length, list: list.map((uid) => ({ uid, nick: `nick ${uid.length}` })) });
  };
  const work = (storyId: unknown) => {
    if (!WORKS.includes(String(storyId))) throw new Stopped(40401);
    return String(storyId);
  };
  return house({
    enter,
    body,
    refused: (code) => ({ status: 200, body: { code, msg: `error ${code}`, data: null } }),
    actions: {
      block: (me, { friendId }) => {
        blocks.add(me, String(friendId));
        return ok();
      },
      unblock: (me, { friendId }) => {
        blocks.remove(me, String(friendId));
        return ok();
      },
      blocked: (me, _, parts) => listed(blocks.of(me), parts),
      blockers: (me, _, parts) => listed(blocks.against(me), parts),
      love: (me, { storyId }) => {
        const like = `${me} ${work(storyId)}`;
        if (liked.has(like)) throw new Stopped(40901);
        liked.add(like);
        return ok({ liked: true });
      },
      unlove: (me, { storyId }) => {
        liked.delete(`${me} ${work(storyId)}`);
        return ok({ liked: false });
      },
      options: (_, __, [language = '']) => {
        const found = OPTIONS[language];
        if (!found) throw new Stopped(40402);
        return ok(found.map((key) => ({ key, text: `${language} ${key}` })));
      },
      report: (me, { storyId, reports }) => {
        const story = work(storyId);
        if ((reports as string[]).some((each) => !OPTIONS['en']?.includes(each))) throw new Stopped(40005);
        return ok({ ticket: reported.add(`${me} ${story}`).size });
      },
      clone: () => ok({ cloned: true }),
      avatar: (me) => {
        const isNew = !avatars.has(me);
        avatars.add(me);
        return ok({ isNew });
      },
      profile: (me, fields) => {
        if (![undefined, 0, 1, 2, 9].includes(fields['gender'] as number | undefined)) throw new Stopped(40007);
        profiles.set(me, { ...profiles.get(me), ...included(fields) });
        return ok();
      },
      show: (_, __, [uid = '']) => {
        if (!profiles.has(uid)) throw new Stopped(40403);
        return ok({ uid, ...profiles.get(uid) });
      },
      feature: (_, { key, default: val }) => ok(key === 'beta' ? { on: true, val: 'yes' } : { on: false, val }),
      item: (_, __, [id = '']) => {
        if (!stored.delete(id)) throw new Stopped(40404);
        return ok();
      },
    },
  });
};

export const envelope: Stranger = {
  make,
  keys: {
    SUCCESS_WHEN: '/code=0',
    CLIENT_ID: 'app-31',
    ...usersOf(accounts),
    API_KEY: 'ak-447700',
    APP_VER: '310',
    BLOCK_LIST_SEGMENTS: '1/20',
    STORY_ID: 'w-500',
    OTHER_STORY_ID: 'w-501',
    FLAG_KEY: 'beta',
    FROM_CLIENT_ID: 'app-07',
    TYPE_NAME: 'hat',
    TYPE_VERSION: '2',
    STORED_ITEM_IDS: 'k1,k2,k3,k4',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  },
  truth: [
    ['*', /^answer-shape$/, /^\{code\??: (integer|number), msg\??: string, data\??: .*\}$/],
    ['*', /^missing-header:/, 'refused with 200'],
    ['*', /^wrong-header:(Authorization|mm-api-key|mm-client-id|app-ver)$/, 'refused with 200'],
    ['evaluate', /^wrong-header:/, 'accepted'],
    ['*', /^wrong-header:mm-user-id$/, 'refused with 200'],
    ['*', /^method-not-allowed$/, 'refused with 200'],
    ['*', /^error-shape$/, 'application/json {code, msg, data}'],
    ['report', /^required-field:message$/, 'optional'],
    ['cloneType', /^required-field:(Files|IsSetDefaultTypeVersion)$/, 'optional'],
    ['updateProfile getFriendProfile', /^required-field:(name|status|url|gender)$/, 'optional'],
    ['evaluate', /^required-field:contextData$/, 'optional'],
    ['*', /^required-field:/, 'required, else 200'],
    ['*', /^(wrong-type:|malformed-json$|missing-content-type$)/, 'refused with 200'],
    ['report', /^text-limit:message$/, '200 characters, else 200'],
    ['*', /^allowed-values:gender$/, '0, 1, 2, 9; not -1, 3, 100'],
    ['readProfile', /^unknown-user$/, 'refused with 200'],
    ['love deleteItem', /^repeat$/, 'refused with 200'],
    ['*', /^(repeat|unknown-user)$/, 'accepted'],
    ['*', /^unknown-(story|code|language|item)$/, 'refused with 200'],
    ['listBlocked listBlockers', /^paging$/, 'page/size, first index 1, cap 20, oldest first'],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, ABUSE, ADS'],
    ['*', /^languages$/, 'en, zh of 16 tried'],
  ],
};
