import { flagOf, type House, idsIn } from './house.ts';
import { breaches, type Schemas, subjects } from './schema.ts';
import { anyBody, type Outgoing, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';

// Queues changes (202) and shows them a little later; deleting twice is fine; any word is a language.

const ok = (body: object): Outgoing => ({ status: 200, body });

/** What must be there. */
const schemas: Schemas = {
  ...subjects,
  report: { storyId: 'text', reports: 'list' },
  avatar: { name: 'text' },
  clone: { TypeName: 'text' },
  feature: { key: 'text' },
};

const style: House = {
  ...plain,
  users: { 'session-alpha': 'alpha', 'session-bravo': 'bravo' },
  stories: ['story/äöü 1'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'VIOLENCE'],
  items: ['i-1', 'i-2', 'i-3', 'i-4'],
  lagMs: 150,
  show: 'GET /v1/users/*',
  entersFirst: true,
  enter: ({ path, headers }) => {
    const isOfKey = path.startsWith('/v1/apikey/');
    const [scheme = '', token = ''] = (headers['authorization'] ?? '').split(' ');
    const user = /^bearer$/i.test(scheme) ? style.users[token] : undefined;
    if (isOfKey && headers['mm-api-key'] !== style.apiKey) throw new Stopped(401, 'bad_key');
    if (!isOfKey && (!user || user !== headers['mm-user-id'])) throw new Stopped(401, 'unauthorized');
    if (!headers['mm-client-id']) throw new Stopped(400, 'no_client');
    if (path.endsWith('/feature') && !headers['mm-user-id']) throw new Stopped(400, 'no_user');
  },
  body: (incoming, row) => {
    if (incoming.text === '') throw new Stopped(400, 'bad_json');
    const given = anyBody(incoming);
    const [wrong] = breaches(given, schemas[row]);
    if (wrong) throw new Stopped(422, `bad_${wrong}`);
    return given;
  },
  refused: (status, error, { path }) => {
    // A GET of the path of `block` is taken for a list without its numbers.
    if (status === 405 && path.endsWith('/block')) return { status: 400, body: { error } };
    return { status: status === 405 && path.includes('/users/') ? 404 : status, body: { error } };
  },
  errors: [],
  done: { status: 202 },
  list: ({ list, page: [size, page] }) => {
    const count = Math.min(size, 100);
    return ok({ page, entries: idsIn(list.toReversed(), page * count, count) });
  },
  says: {
    options: ({ id: language }) =>
      ok({
        language,
        at: new Date().toISOString(),
        list: [
          { reason: 'SEXUALLY_INAPPROPRIATE', label: `(${language}) sexual` },
          { reason: 'VIOLENCE', label: `(${language}) violence` },
        ],
      }),
    show: ({ id, held }) => ok({ user: { id, ...held.profiles.get(id) } }),
    feature: (told) => ok({ [told.id]: flagOf(style, told) ?? null }),
    item: () => ({ status: 204 }),
  },
};

export const lagging = strangerOf(style, { BLOCK_LIST_SEGMENTS: '50/0' }, [
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
  ['*', /^(required-field|wrong-type):(friendId|storyId|reports|TypeName|key)$/, /422$/],
  ['saveAvatar', /^(required-field|wrong-type):name$/, /422$/],
  ['*', /^(repeat|unknown-user|unknown-story|unknown-code|unknown-language|unknown-item)$/, 'accepted'],
  ['listBlocked listBlockers', /^paging$/, /^size\/page, first index 0, (cap 100|no cap up to \d+), newest first$/],
  ['*', /^block-visible$/, /^within \d+ ms$/],
  ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, VIOLENCE'],
  ['*', /^languages$/, 'en of 16 tried; an unknown one falls back'],
]);
