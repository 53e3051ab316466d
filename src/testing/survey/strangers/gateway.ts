import { Blocks, type Body, house, Stopped, window } from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// A gateway rejects with HTML and requires every header; the service behind it accepts everything that comes through.

const PAGES: Readonly<Record<number, string>> = {
  401: 'Authorization Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
};

const TOKENS = new Set(['gw-token-one', 'gw-token-two']);
const CODES = ['SEXUALLY_INAPPROPRIATE', 'SPAM_OR_SCAM', 'SELF_HARM'];

function enter({ headers, path }: Incoming): void {
  const isOfKey = path.includes('/apikey/');
  const isIn = isOfKey
    ? headers['mm-api-key'] === 'gw-key-0815'
    : TOKENS.has(/^[Bb]earer (.*)$/.exec(headers['authorization'] ?? '')?.[1] ?? '');
  if (!isIn) throw new Stopped(401);
  const needed = ['mm-client-id', ...(path.endsWith('/clone') ? [] : ['mm-user-id'])];
  if (!needed.every((header) => headers[header])) throw new Stopped(403);
}

/** What the service behind misses is said in a line of text, everything else on a page. */
function refused(status: number, what: string): Outgoing {
  const title = `${status} ${PAGES[status]}`;
  return what !== '' && what !== 'path'
    ? { status, type: 'text/plain', body: what }
    : {
        status,
        type: 'text/html; charset=utf-8',
        body: `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>gateway/1.21</body></html>`,
      };
}

const ok = (body: object = {}): Outgoing => ({ status: 200, body });

function need(isThere: unknown, what: string): Outgoing {
  if (!isThere) throw new Stopped(400, what);
  return ok();
}

const make = () => {
  const blocks = new Blocks();
  const people = new Map<string, Body>();
  const items = new Set(['file-1', 'file-2', 'file-3']);
  return house({
    show: 'GET /v1/people/*',
    enter,
    refused,
    actions: {
      block: (me, { friendId }) => {
        need(friendId, 'friendId?');
        blocks.add(me, String(friendId));
        return ok();
      },
      unblock: (me, { friendId }) => {
        need(friendId, 'friendId?');
        blocks.remove(me, String(friendId));
        return ok();
      },
      blocked: (me, _, [from, count]) => ok(window(blocks.of(me), from, count)),
      blockers: (me, _, [from, count]) => ok(window(blocks.against(me), from, count)),
      love: (_, { storyId }) => need(storyId, 'storyId?'),
      unlove: (_, { storyId }) => need(storyId, 'storyId?'),
      options: () => ok({ reasons: CODES }),
      report: (_, { storyId, reports }) => need(storyId && Array.isArray(reports), 'what is reported, and why?'),
      clone: (_, { FromClientId, TypeName }) => need(FromClientId && TypeName, 'which type?'),
      avatar: () => ok(),
      profile: (me, { includes: _, ...fields }) => {
        people.set(me, { ...people.get(me), ...fields });
        return ok();
      },
      show: (_, __, [id = '']) => ok({ id, about: people.get(id) ?? {} }),
      feature: (_, { key, default: fallback }) => {
        need(key, 'key?');
        return ok({ value: key === 'dark-mode' ? 'on' : fallback });
      },
      item: (_, __, [id = '']) => {
        if (!items.delete(id)) throw new Stopped(404, 'gone');
        return ok();
      },
    },
  });
};

const html = 'text/html, no JSON';
const text = 'text/plain, no JSON';

export const gateway: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'c-77',
    USER_ID: 'u-1',
    FRIEND_USER_ID: 'u-2',
    ACCESS_TOKEN: 'gw-token-one',
    FRIEND_ACCESS_TOKEN: 'gw-token-two',
    API_KEY: 'gw-key-0815',
    STORY_ID: 's-9',
    OTHER_STORY_ID: 's-90',
    FLAG_KEY: 'dark-mode',
    FROM_CLIENT_ID: 'c-12',
    TYPE_NAME: 'sticker',
    TYPE_VERSION: '3',
    STORED_ITEM_IDS: 'file-1,file-2,file-3',
    FRIEND_PROFILE_REQUEST: 'GET /v1/people/{userId}',
  },
  truth: [
    ['listBlocked listBlockers', /^answer-shape$/, 'string[]'],
    ['reportOptions', /^answer-shape$/, /^\{reasons\??: .*\}$/],
    ['evaluate', /^answer-shape$/, /^\{value\??: string\}$/],
    ['readProfile', /^answer-shape$/, /^\{id\??: string, about\??: \{.*\}\}$/],
    ['*', /^answer-shape$/, '{}'],
    ['*', /^missing-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['*', /^missing-header:mm-/, 'refused with 403'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['*', /^wrong-header:/, 'accepted'],
    ['*', /^scheme-case$/, 'only bearer, Bearer'],
    ['*', /^token-user$/, 'not tied'],
    ['deleteItem', /^error-shape$/, new RegExp(`^(${html}|.*unknown id: ${text}.*)$`)],
    ['listBlocked listBlockers reportOptions readProfile', /^error-shape$/, html],
    ['*', /^error-shape$/, new RegExp(`^(${html}|.*malformed JSON: ${text}.*)$`)],
    ['block unblock', /^required-field:/, 'required, else 400'],
    ['love unlove', /^required-field:/, 'required, else 400'],
    ['report', /^required-field:(storyId|reports)$/, 'required, else 400'],
    ['cloneType', /^required-field:(FromClientId|TypeName)$/, 'required, else 400'],
    ['evaluate', /^required-field:key$/, 'required, else 400'],
    ['report', /^wrong-type:reports$/, 'refused with 400'],
    ['deleteItem', /^repeat$/, 'refused with 404'],
    ['*', /^(repeat|unknown-user|unknown-story|unknown-code|unknown-language)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, /^offset\/limit, first index 0, no cap up to \d+, oldest first$/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SELF_HARM, SPAM_OR_SCAM'],
    ['*', /^languages$/, /^en of 16 tried; an unknown one falls back$/],
    ['*', /^includes-effect$/, 'none: every field given is applied'],
    ['*', /^own-request$/, 'GET /v1/people/{userId}'],
  ],
};
