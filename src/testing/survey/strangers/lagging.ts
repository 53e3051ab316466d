import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Queues changes (202) and shows them a little later; deleting twice is fine; any word is a language.

/** Lag of a read behind a change, in ms. */
const LAG_MS = 150;

const no = (status: number, error: string): Outgoing => ({ status, body: { error } });
const accepted: Outgoing = { status: 202 };

interface Change {
  readonly at: number;
  readonly apply: (view: View) => void;
}

interface View {
  readonly blocks: Map<string, Set<string>>;
  readonly profiles: Map<string, Record<string, unknown>>;
}

/** The state for readers: every change counts LAG_MS after it was accepted. */
class Projection {
  readonly #view: View = { blocks: new Map(), profiles: new Map() };
  readonly #pending: Change[] = [];

  take(apply: Change['apply']): Outgoing {
    this.#pending.push({ at: Date.now() + LAG_MS, apply });
    return accepted;
  }

  get now(): View {
    while (this.#pending[0] && this.#pending[0].at <= Date.now()) this.#pending.shift()?.apply(this.#view);
    return this.#view;
  }
}

const SESSIONS: Readonly<Record<string, string>> = { 'session-alpha': 'alpha', 'session-bravo': 'bravo' };

function who({ headers }: Incoming): string | undefined {
  const [scheme = '', token = ''] = (headers['authorization'] ?? '').split(' ');
  const user = /^bearer$/i.test(scheme) ? SESSIONS[token] : undefined;
  return user !== undefined && user === headers['mm-user-id'] ? user : undefined;
}

function make(): StrangerHandler {
  const projection = new Projection();
  const window = (all: Iterable<string>, size: string, page: string) => {
    const entries = [...all].reverse();
    const [count, index] = [Math.min(Number(size), 100), Number(page)];
    return { status: 200, body: { page: index, entries: entries.slice(index * count, (index + 1) * count) } };
  };

  const withBody = (incoming: Incoming, needs: string, run: (body: Record<string, unknown>) => Outgoing): Outgoing => {
    const body = parse(incoming.text);
    if (!isRecord(body)) return no(400, 'bad_json');
    return needs === '' || typeof body[needs] === 'string' ? run(body) : no(422, `bad_${needs}`);
  };

  const asUser = (me: string, incoming: Incoming): Outgoing => {
    const { method, path } = incoming;
    const view = projection.now;
    const [, , first, second, ...rest] = path.split('/').map(decodeURIComponent);
    switch (`${method} ${first}/${second}`) {
      case 'POST friends/block':
        return withBody(incoming, 'friendId', ({ friendId }) =>
          projection.take(({ blocks }) => blocks.set(me, (blocks.get(me) ?? new Set()).add(String(friendId)))),
        );
      case 'POST friends/unblock':
        return withBody(incoming, 'friendId', ({ friendId }) =>
          projection.take(({ blocks }) => blocks.get(me)?.delete(String(friendId))),
        );
      case 'GET friends/block': {
        const isMe = rest[0] === 'me';
        const [size = '', page = ''] = isMe ? rest.slice(1) : rest;
        if (![size, page].every((part) => /^\d+$/.test(part))) return no(400, 'bad_page');
        const by = [...view.blocks].filter(([, whom]) => whom.has(me)).map(([user]) => user);
        return window(isMe ? by : (view.blocks.get(me) ?? []), size, page);
      }
      case 'POST stories/love':
      case 'POST stories/unlove':
        return withBody(incoming, 'storyId', () => accepted);
      case 'GET reports/opt': {
        const list = [
          { reason: 'SEXUALLY_INAPPROPRIATE', label: `(${rest[0]}) sexual` },
          { reason: 'VIOLENCE', label: `(${rest[0]}) violence` },
        ];
        return { status: 200, body: { language: rest[0], at: new Date().toISOString(), list } };
      }
      case 'POST stories/report':
        return withBody(incoming, 'storyId', ({ reports }) =>
          Array.isArray(reports) ? accepted : no(422, 'bad_reports'),
        );
      case 'POST avatar/undefined':
        return withBody(incoming, 'name', () => accepted);
      case 'PUT profile/undefined':
        return withBody(incoming, '', (body) => {
          const asked = String(body['includes'] ?? '').split(';');
          const given = Object.fromEntries(Object.entries(body).filter(([name]) => asked.includes(name)));
          const url = asked.includes('url') || asked.includes('avartarUrl') ? { url: body['url'] } : {};
          return projection.take(({ profiles }) => profiles.set(me, { ...profiles.get(me), ...given, ...url }));
        });
      case 'DELETE features/story':
        return { status: 204 };
      default:
        break;
    }
    if (method === 'GET' && first === 'users' && second)
      return { status: 200, body: { user: { id: second, ...view.profiles.get(second) } } };
    return ['friends', 'stories', 'reports', 'avatar', 'profile', 'features'].includes(first ?? '')
      ? no(405, 'method_not_allowed')
      : no(404, 'not_found');
  };

  const byKey = (incoming: Incoming): Outgoing => {
    const { headers, method, path } = incoming;
    if (headers['mm-api-key'] !== 'lag-api-key') return no(401, 'bad_key');
    if (!headers['mm-client-id']) return no(400, 'no_client');
    const isFlag = path.endsWith('/feature');
    if (isFlag && !headers['mm-user-id']) return no(400, 'no_user');
    if (method !== 'POST') return no(405, 'method_not_allowed');
    if (!isFlag) return withBody(incoming, 'TypeName', () => accepted);
    return withBody(incoming, 'key', ({ key, default: fallback = null }) => ({
      status: 200,
      body: { [String(key)]: key === 'rollout' ? 'enabled' : fallback },
    }));
  };

  return (incoming) => {
    if (incoming.path.startsWith('/v1/apikey/')) return byKey(incoming);
    const me = who(incoming);
    if (!me) return no(401, 'unauthorized');
    return incoming.headers['mm-client-id'] ? asUser(me, incoming) : no(400, 'no_client');
  };
}

export const lagging: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'lag-client',
    USER_ID: 'alpha',
    FRIEND_USER_ID: 'bravo',
    ACCESS_TOKEN: 'session-alpha',
    FRIEND_ACCESS_TOKEN: 'session-bravo',
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
    ['*', /^missing-header:app-/, 'accepted'],
    ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 401'],
    ['evaluate', /^wrong-header:/, 'accepted'],
    ['*', /^wrong-header:mm-user-id$/, 'refused with 401'],
    ['*', /^wrong-header:mm-client-id$/, 'accepted'],
    ['*', /^scheme-case$/, 'any case'],
    ['*', /^token-user$/, 'tied'],
    // A GET of the path is a list without its numbers, and a PUT of a person has no path.
    ['block', /^method-not-allowed$/, 'refused with 400'],
    ['readProfile', /^method-not-allowed$/, 'refused with 404'],
    ['*', /^method-not-allowed$/, 'refused with 405'],
    ['*', /^error-shape$/, 'application/json {error}'],
    ['block unblock', /^(required-field|wrong-type):friendId$/, /422$/],
    ['love unlove', /^(required-field|wrong-type):storyId$/, /422$/],
    ['report', /^(required-field|wrong-type):(storyId|reports)$/, /422$/],
    ['cloneType', /^(required-field|wrong-type):TypeName$/, /422$/],
    ['saveAvatar', /^(required-field|wrong-type):name$/, /422$/],
    ['evaluate', /^(required-field|wrong-type):key$/, /422$/],
    ['*', /^required-field:/, 'optional'],
    ['*', /^(wrong-type:|unknown-field$|missing-content-type$)/, 'accepted'],
    ['*', /^malformed-json$/, 'refused with 400'],
    ['*', /^text-limit:/, 'none up to 10000 characters'],
    ['*', /^allowed-values:/, /^all that were tried: /],
    ['*', /^(repeat|unknown-user|unknown-story|unknown-code|unknown-language|unknown-item)$/, 'accepted'],
    ['listBlocked listBlockers', /^paging$/, /^size\/page, first index 0, (cap 100|no cap up to \d+), newest first$/],
    ['*', /^block-visible$/, /^within \d+ ms$/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, VIOLENCE'],
    ['*', /^languages$/, 'en of 16 tried; an unknown one falls back'],
    ['*', /^default-fallback$/, 'the default, unchanged'],
    ['*', /^includes-effect$/, 'only the fields named are applied; avartarUrl names url'],
    ['*', /^own-request$/, 'GET /v1/users/{userId}'],
  ],
};
