import { anyBody, Blocks, type Body, house, included, type Row, Stopped, usersOf, window } from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Queues changes (202) and shows them a little later; deleting twice is fine; any word is a language.

/** Lag of a read behind a change, in ms. */
const LAG_MS = 150;

const accepted: Outgoing = { status: 202 };
const ok = (body: object): Outgoing => ({ status: 200, body });

const SESSIONS: Readonly<Record<string, string>> = { 'session-alpha': 'alpha', 'session-bravo': 'bravo' };

function enter({ path, headers }: Incoming): void {
  const isOfKey = path.startsWith('/v1/apikey/');
  const [scheme = '', token = ''] = (headers['authorization'] ?? '').split(' ');
  const user = /^bearer$/i.test(scheme) ? SESSIONS[token] : undefined;
  if (isOfKey && headers['mm-api-key'] !== 'lag-api-key') throw new Stopped(401, 'bad_key');
  if (!isOfKey && (!user || user !== headers['mm-user-id'])) throw new Stopped(401, 'unauthorized');
  if (!headers['mm-client-id']) throw new Stopped(400, 'no_client');
  if (path.endsWith('/feature') && !headers['mm-user-id']) throw new Stopped(400, 'no_user');
}

/** The text that a body needs. */
const NEEDED: Partial<Record<Row, string>> = {
  block: 'friendId',
  unblock: 'friendId',
  love: 'storyId',
  unlove: 'storyId',
  report: 'storyId',
  avatar: 'name',
  clone: 'TypeName',
  feature: 'key',
};

function body(incoming: Incoming, row: Row): Body {
  if (incoming.text === '') throw new Stopped(400, 'bad_json');
  const given = anyBody(incoming);
  const needed = NEEDED[row];
  if (needed && typeof given[needed] !== 'string') throw new Stopped(422, `bad_${needed}`);
  return given;
}

const make = () => {
  const blocks = new Blocks();
  const profiles = new Map<string, Body>();
  const pending: { readonly at: number; readonly apply: () => unknown }[] = [];
  // A change counts for readers LAG_MS after it was accepted.
  const later = (apply: () => unknown): Outgoing => {
    pending.push({ at: Date.now() + LAG_MS, apply });
    return accepted;
  };
  const listed = (all: readonly string[], [size, page]: readonly string[]) => {
    const count = Math.min(Number(size), 100);
    return ok({ page: Number(page), entries: window(all.toReversed(), Number(page) * count, count) });
  };
  const service = house({
    show: 'GET /v1/users/*',
    entersFirst: true,
    enter,
    body,
    refused: (status, error, { path }) => {
      // A GET of the path of `block` is taken for a list without its numbers.
      const own =
        status === 405 && path.endsWith('/block') ? 400 : status === 405 && path.includes('/users/') ? 404 : status;
      return { status: own, body: { error } };
    },
    actions: {
      block: (me, { friendId }) => later(() => blocks.add(me, String(friendId))),
      unblock: (me, { friendId }) => later(() => blocks.remove(me, String(friendId))),
      blocked: (me, _, parts) => listed(blocks.of(me), parts),
      blockers: (me, _, parts) => listed(blocks.against(me), parts),
      love: () => accepted,
      unlove: () => accepted,
      options: (_, __, [language]) =>
        ok({
          language,
          at: new Date().toISOString(),
          list: [
            { reason: 'SEXUALLY_INAPPROPRIATE', label: `(${language}) sexual` },
            { reason: 'VIOLENCE', label: `(${language}) violence` },
          ],
        }),
      report: (_, { reports }) => {
        if (!Array.isArray(reports)) throw new Stopped(422, 'bad_reports');
        return accepted;
      },
      clone: () => accepted,
      avatar: () => accepted,
      profile: (me, fields) => later(() => profiles.set(me, { ...profiles.get(me), ...included(fields) })),
      show: (_, __, [id = '']) => ok({ user: { id, ...profiles.get(id) } }),
      feature: (_, { key, default: fallback = null }) =>
        ok({ [String(key)]: key === 'rollout' ? 'enabled' : fallback }),
      item: () => ({ status: 204 }),
    },
  });
  return (incoming: Incoming): Outgoing => {
    while (pending[0] && pending[0].at <= Date.now()) pending.shift()?.apply();
    return service(incoming);
  };
};

export const lagging: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'lag-client',
    ...usersOf(SESSIONS),
    API_KEY: 'lag-api-key',
    BLOCK_LIST_SEGMENTS: '50/0',
    STORY_ID: 'story/äöü 1',
    FLAG_KEY: 'rollout',
    FROM_CLIENT_ID: 'other',
    TYPE_NAME: 'banner',
    TYPE_VERSION: 'v',
    STORED_ITEM_IDS: 'i-1,i-2,i-3,i-4',
    FRIEND_PROFILE_REQUEST: 'GET /v1/users/{userId}',
  },
  truth: [
    [
      'block unblock love unlove report cloneType saveAvatar updateProfile getFriendProfile',
      /^success-status$/,
      /^202(; the first save .*)?$/,
    ],
    ['deleteItem', /^success-status$/, '204'],
    ['*', /^success-status$/, '200'],
    ['listBlocked listBlockers', /^answer-shape$/, /^\{page\??: (integer|number), entries\??: string\[\]\}$/],
    ['reportOptions', /^answer-shape$/, /^\{language\??: .*, at\??: date-time, list\??: \{.*\}\[\]\}$/],
    ['readProfile', /^answer-shape$/, /^\{user\??: \{.*\}\}$/],
    ['evaluate', /^answer-shape$/, /^\{.*\}$/],
    ['*', /^answer-shape$/, 'no body'],
    ['*', /^missing-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['evaluate', /^missing-header:mm-/, 'refused with 400'],
    ['*', /^missing-header:mm-user-id$/, 'refused with 401'],
    ['*', /^missing-header:mm-client-id$/, 'refused with 400'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['evaluate', /^wrong-header:/, 'accepted'],
    ['*', /^wrong-header:mm-user-id$/, 'refused with 401'],
    ['*', /^wrong-header:mm-client-id$/, 'accepted'],
    // A GET of the path is a list without its numbers, and a PUT of a person has no path.
    ['block', /^method-not-allowed$/, 'refused with 400'],
    ['readProfile', /^method-not-allowed$/, 'refused with 404'],
    ['*', /^error-shape$/, 'application/json {error}'],
    ['block unblock', /^(required-field|wrong-type):friendId$/, /422$/],
    ['love unlove', /^(required-field|wrong-type):storyId$/, /422$/],
    ['report', /^(required-field|wrong-type):(storyId|reports)$/, /422$/],
    ['cloneType', /^(required-field|wrong-type):TypeName$/, /422$/],
    ['saveAvatar', /^(required-field|wrong-type):name$/, /422$/],
    ['evaluate', /^(required-field|wrong-type):key$/, /422$/],
    ['*', /^(repeat|unknown-user|unknown-story|unknown-code|unknown-language|unknown-item)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, /^size\/page, first index 0, (cap 100|no cap up to \d+), newest first$/],
    ['*', /^block-visible$/, /^within \d+ ms$/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, VIOLENCE'],
    ['*', /^languages$/, 'en of 16 tried; an unknown one falls back'],
    ['*', /^own-request$/, 'GET /v1/users/{userId}'],
  ],
};
