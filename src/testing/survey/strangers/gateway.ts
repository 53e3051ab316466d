import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';

// A gateway rejects with HTML and requires every header; the service behind it accepts everything that comes through.

const page = (status: number, words: string): Outgoing => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<html><head><title>${status} ${words}</title></head><body><center><h1>${status} ${words}</h1></center><hr>gateway/1.21</body></html>`,
});
const plain = (status: number, body: string): Outgoing => ({ status, type: 'text/plain', body });

const TOKENS = new Set(['gw-token-one', 'gw-token-two']);
const CODES = ['SEXUALLY_INAPPROPRIATE', 'SPAM_OR_SCAM', 'SELF_HARM'];

const routes: readonly (readonly [method: string, path: RegExp, name: string])[] = [
  ['POST', /^\/v1\/friends\/(block|unblock)$/, 'friend'],
  ['GET', /^\/v1\/friends\/block\/(\d+)\/(\d+)$/, 'blocked'],
  ['GET', /^\/v1\/friends\/block\/me\/(\d+)\/(\d+)$/, 'blockers'],
  ['POST', /^\/v1\/stories\/(love|unlove)$/, 'story'],
  ['GET', /^\/v1\/reports\/opt\/([^/]+)$/, 'options'],
  ['POST', /^\/v1\/stories\/report$/, 'report'],
  ['POST', /^\/v1\/apikey\/type\/clone$/, 'clone'],
  ['POST', /^\/v1\/avatar$/, 'avatar'],
  ['PUT', /^\/v1\/profile$/, 'profile'],
  ['GET', /^\/v1\/people\/([^/]+)$/, 'person'],
  ['POST', /^\/v1\/apikey\/feature$/, 'feature'],
  ['DELETE', /^\/v1\/features\/story\/([^/]+)$/, 'item'],
];

function gate({ headers }: Incoming, name: string): Outgoing | undefined {
  const byKey = name === 'clone' || name === 'feature';
  const needed = ['mm-client-id', ...(name === 'clone' ? [] : ['mm-user-id'])];
  if (byKey && headers['mm-api-key'] !== 'gw-key-0815') return page(401, 'Authorization Required');
  if (!byKey && !TOKENS.has(/^[Bb]earer (.*)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''))
    return page(401, 'Authorization Required');
  return needed.every((header) => headers[header]) ? undefined : page(403, 'Forbidden');
}

function make(): StrangerHandler {
  const blocks: { by: string; whom: string }[] = [];
  const people = new Map<string, Record<string, unknown>>();
  const items = new Set(['file-1', 'file-2', 'file-3']);

  const behind: Record<string, (me: string, body: Record<string, unknown>, parts: readonly string[]) => Outgoing> = {
    friend: (me, { friendId }, [verb]) => {
      if (!friendId) return plain(400, 'friendId?');
      const at = blocks.findIndex(({ by, whom }) => by === me && whom === friendId);
      if (verb === 'block' && at < 0) blocks.push({ by: me, whom: String(friendId) });
      if (verb === 'unblock' && at >= 0) blocks.splice(at, 1);
      return { status: 200, body: {} };
    },
    blocked: (me, _, [from, count]) => {
      const mine = blocks.filter(({ by }) => by === me).map(({ whom }) => whom);
      return { status: 200, body: mine.slice(Number(from), Number(from) + Number(count)) };
    },
    blockers: (me, _, [from, count]) => {
      const mine = blocks.filter(({ whom }) => whom === me).map(({ by }) => by);
      return { status: 200, body: mine.slice(Number(from), Number(from) + Number(count)) };
    },
    story: (_, { storyId }) => (storyId ? { status: 200, body: {} } : plain(400, 'storyId?')),
    options: () => ({ status: 200, body: { reasons: CODES } }),
    report: (_, { storyId, reports }) =>
      storyId && Array.isArray(reports) ? { status: 200, body: {} } : plain(400, 'what is reported, and why?'),
    clone: (_, { FromClientId, TypeName }) =>
      FromClientId && TypeName ? { status: 200, body: {} } : plain(400, 'which type?'),
    avatar: () => ({ status: 200, body: {} }),
    profile: (me, { includes: _, ...fields }) => {
      people.set(me, { ...people.get(me), ...fields });
      return { status: 200, body: {} };
    },
    person: (_, __, [id = '']) => ({ status: 200, body: { id, about: people.get(id) ?? {} } }),
    feature: (_, { key, default: fallback }) =>
      key ? { status: 200, body: { value: key === 'dark-mode' ? 'on' : fallback } } : plain(400, 'key?'),
    item: (_, __, [id = '']) => (items.delete(id) ? { status: 200, body: {} } : plain(404, 'gone')),
  };

  return (incoming) => {
    const fitting = routes.filter(([, path]) => path.test(incoming.path));
    if (fitting.length === 0) return page(404, 'Not Found');
    const [, path, name] = fitting.find(([method]) => method === incoming.method) ?? [];
    if (!path || !name) return page(405, 'Not Allowed');
    const stopped = gate(incoming, name);
    if (stopped) return stopped;
    const body = incoming.text === '' ? {} : parse(incoming.text);
    if (!isRecord(body)) return plain(400, 'JSON?');
    const parts = (path.exec(incoming.path) ?? []).slice(1).map(decodeURIComponent);
    return (behind[name] as NonNullable<(typeof behind)[string]>)(incoming.headers['mm-user-id'] ?? '', body, parts);
  };
}

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
    FLAG_KEY: 'dark-mode',
    FROM_CLIENT_ID: 'c-12',
    TYPE_NAME: 'sticker',
    TYPE_VERSION: '3',
    STORED_ITEM_IDS: 'file-1,file-2,file-3',
    FRIEND_PROFILE_REQUEST: 'GET /v1/people/{userId}',
  },
  truth: [
    ['*', /^success-status$/, /^200(; the first save .*)?$/],
    ['listBlocked listBlockers', /^answer-shape$/, 'string[]'],
    ['reportOptions', /^answer-shape$/, /^\{reasons\??: .*\}$/],
    ['evaluate', /^answer-shape$/, /^\{value\??: string\}$/],
    ['readProfile', /^answer-shape$/, /^\{id\??: string, about\??: \{.*\}\}$/],
    ['*', /^answer-shape$/, '{}'],
    ['*', /^missing-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['*', /^missing-header:mm-/, 'refused with 403'],
    ['*', /^missing-header:app-/, 'accepted'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['*', /^wrong-header:/, 'accepted'],
    ['*', /^scheme-case$/, 'only bearer, Bearer'],
    ['*', /^token-user$/, 'not tied'],
    ['*', /^method-not-allowed$/, 'refused with 405'],
    ['deleteItem', /^error-shape$/, new RegExp(`^(${html}|.*unknown id: ${text}.*)$`)],
    ['listBlocked listBlockers reportOptions readProfile', /^error-shape$/, html],
    ['*', /^error-shape$/, new RegExp(`^(${html}|.*malformed JSON: ${text}.*)$`)],
    ['block unblock', /^required-field:/, 'required, else 400'],
    ['love unlove', /^required-field:/, 'required, else 400'],
    ['report', /^required-field:(storyId|reports)$/, 'required, else 400'],
    ['cloneType', /^required-field:(FromClientId|TypeName)$/, 'required, else 400'],
    ['evaluate', /^required-field:key$/, 'required, else 400'],
    ['*', /^required-field:/, 'optional'],
    ['report', /^wrong-type:reports$/, 'refused with 400'],
    ['*', /^(wrong-type:|unknown-field$|missing-content-type$)/, 'accepted'],
    ['*', /^malformed-json$/, 'refused with 400'],
    ['*', /^text-limit:/, 'none up to 10000 characters'],
    ['*', /^allowed-values:/, /^all that were tried: /],
    ['deleteItem', /^repeat$/, 'refused with 404'],
    ['*', /^(repeat|unknown-user|unknown-story|unknown-code|unknown-language)$/, 'accepted'],
    ['*', /^unknown-item$/, 'refused with 404'],
    ['listBlocked listBlockers', /^paging$/, /^offset\/limit, first index 0, no cap up to \d+, oldest first$/],
    ['*', /^block-visible$/, 'at once'],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SELF_HARM, SPAM_OR_SCAM'],
    ['*', /^languages$/, /^en of 16 tried; an unknown one falls back$/],
    ['*', /^default-fallback$/, 'the default, unchanged'],
    ['*', /^includes-effect$/, 'none: every field given is applied'],
    ['*', /^own-request$/, 'GET /v1/people/{userId}'],
  ],
};
