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
  window,
} from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Returns as little as possible: changes get an empty 200, lists are bare, rejections one line of text; sometimes it throttles.

const empty: Outgoing = { status: 200, type: null, body: '' };
const refused = (status: number, text: string): Outgoing => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

/** One in this many requests is throttled. */
const THROTTLED_EVERY = 151;

const TOKENS: Readonly<Record<string, string>> = { 'bearer terse-token-u1': 'u1', 'bearer terse-token-u2': 'u2' };

const schemas: Partial<Record<Row, Schema>> = {
  block: { friendId: 'text' },
  unblock: { friendId: 'text' },
  love: { storyId: 'text' },
  unlove: { storyId: 'text' },
  report: { storyId: 'text', reports: 'list' },
  clone: { FromClientId: 'text', TypeName: 'text', TypeVersion: 'text' },
  avatar: { name: 'whole64', items: 'list' },
  feature: { key: 'text' },
};
/** Every text but the name of an avatar must hold something. */
const kinds = {
  text: (value: unknown) => typeof value === 'string' && value !== '',
  whole: (value: unknown) => typeof value === 'string',
};

function enter({ headers, path }: Incoming): void {
  if (!headers['mm-client-id']) throw new Stopped(400, 'mm-client-id is missing');
  if (path.startsWith('/v1/apikey/')) {
    if (headers['mm-api-key'] !== 'terse-key') throw new Stopped(403, 'forbidden');
    return;
  }
  const user = TOKENS[headers['authorization'] ?? ''];
  if (!user || user !== headers['mm-user-id']) throw new Stopped(401, 'unauthorized');
}

function body(incoming: Incoming, row: Row): Body {
  const given = anyBody(incoming);
  const wrong = breaches(given, schemas[row] ?? {}, kinds);
  if (wrong.length > 0) throw new Stopped(400, `bad ${wrong}`);
  return given;
}

const make = () => {
  const blocks = new Blocks();
  const profiles = new Map<string, Body>([
    ['u1', {}],
    ['u2', {}],
  ]);
  const clones = new Set<string>();
  const blobs = new Set(['b1', 'b2', 'b3', 'b4']);
  let served = 0;

  const listed = (all: readonly string[], [limit, offset]: readonly string[]) => ({
    status: 200,
    body: window(all.toReversed(), offset, limit),
  });
  const service = house({
    entersFirst: true,
    enter,
    body,
    refused,
    actions: {
      block: (me, { friendId }) => {
        blocks.add(me, String(friendId));
        return empty;
      },
      unblock: (me, { friendId }) => {
        if (!blocks.remove(me, String(friendId))) throw new Stopped(404, 'not blocked');
        return empty;
      },
      blocked: (me, _, parts) => listed(blocks.of(me), parts),
      blockers: (me, _, parts) => listed(blocks.against(me), parts),
      love: () => empty,
      unlove: () => empty,
      options: (_, __, [language = '']) => {
        if (!['en', 'it', 'pt'].includes(language)) throw new Stopped(404, 'no such language');
        return { status: 200, body: ['SEXUALLY_INAPPROPRIATE', 'RUDE', language.toUpperCase()] };
      },
      report: (_, { reports }) => {
        if ((reports as unknown[]).length === 0) throw new Stopped(400, 'incomplete report');
        return empty;
      },
      clone: (_, { TypeVersion }) => {
        if (clones.has(String(TypeVersion))) throw new Stopped(409, 'version exists');
        clones.add(String(TypeVersion));
        return empty;
      },
      avatar: () => empty,
      profile: (me, fields) => {
        profiles.set(me, { ...profiles.get(me), ...included({ includes: '', ...fields }) });
        return empty;
      },
      show: (_, __, [id = '']) => {
        if (!profiles.has(id)) throw new Stopped(404, 'no such user');
        return { status: 200, body: profiles.get(id) };
      },
      feature: (_, { key, default: fallback = null }) => ({
        status: 200,
        body: JSON.stringify(key === 'fast' ? 'yes' : fallback),
        type: 'application/json',
      }),
      item: (_, __, [id = '']) => {
        if (!blobs.delete(id)) throw new Stopped(404, 'no such item');
        return empty;
      },
    },
  });
  return (incoming: Incoming): Outgoing =>
    ++served % THROTTLED_EVERY === 0
      ? { ...refused(429, 'slow down'), headers: { 'retry-after': '0' } }
      : service(incoming);
};

export const terse: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'terse-client',
    USER_ID: 'u1',
    FRIEND_USER_ID: 'u2',
    ACCESS_TOKEN: 'terse-token-u1',
    FRIEND_ACCESS_TOKEN: 'terse-token-u2',
    API_KEY: 'terse-key',
    BLOCK_LIST_SEGMENTS: '100/0',
    STORY_ID: 'x',
    FLAG_KEY: 'fast',
    FROM_CLIENT_ID: 'a',
    TYPE_NAME: 'b',
    TYPE_VERSION: '1',
    STORED_ITEM_IDS: 'b1,b2,b3,b4',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  },
  truth: [
    ['listBlocked listBlockers reportOptions', /^answer-shape$/, 'string[]'],
    ['readProfile', /^answer-shape$/, /^\{.*\}$/],
    ['evaluate', /^answer-shape$/, 'string'],
    ['*', /^answer-shape$/, 'no body'],
    ['*', /^missing-header:mm-client-id$/, 'refused with 400'],
    ['*', /^missing-header:mm-api-key$/, 'refused with 403'],
    ['evaluate', /^missing-header:/, 'accepted'],
    ['*', /^missing-header:/, 'refused with 401'],
    ['*', /^wrong-header:mm-api-key$/, 'refused with 403'],
    ['*', /^wrong-header:Authorization$/, 'refused with 401'],
    ['evaluate cloneType', /^wrong-header:/, 'accepted'],
    ['*', /^wrong-header:mm-client-id$/, 'accepted'],
    ['*', /^wrong-header:mm-user-id$/, 'refused with 401'],
    ['*', /^scheme-case$/, 'only bearer'],
    // A GET of either path has no numbers or no id.
    ['block unblock', /^method-not-allowed$/, /^refused with (404|405)$/],
    ['*', /^error-shape$/, 'text/plain, no JSON'],
    [
      'block unblock love unlove cloneType',
      /^(required-field|wrong-type):(friendId|storyId|FromClientId|TypeName|TypeVersion)$/,
      /400$/,
    ],
    ['report', /^(required-field|wrong-type):(storyId|reports)$/, /400$/],
    ['saveAvatar', /^(required-field|wrong-type):(name|items)$/, /400$/],
    ['evaluate', /^(required-field|wrong-type):key$/, /400$/],
    ['saveAvatar', /^text-limit:name$/, '64 characters, else 400'],
    ['unblock', /^(repeat|unknown-user)$/, 'refused with 404'],
    ['readProfile', /^unknown-user$/, 'refused with 404'],
    ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 404'],
    ['cloneType', /^repeat$/, 'refused with 409'],
    ['*', /^(repeat|unknown-user|unknown-story|unknown-code)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, /^limit\/offset, first index 0, no cap up to \d+, newest first$/],
    ['*', /^report-codes$/, /SEXUALLY_INAPPROPRIATE, (RUDE, \w\w|\w\w, RUDE)/],
    ['*', /^languages$/, 'en, it, pt of 16 tried'],
  ],
};
