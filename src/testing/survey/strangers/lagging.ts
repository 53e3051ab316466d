import { entrance } from './entrance.ts';
import { flagOf, type House, idsIn } from './house.ts';
import { subjects } from './schema.ts';
import { anyBody, ok, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// A service that queues changes (202), shows them a little later, and refuses the opposite change until then. It accepts a second deletion,
// and any word as a language.

const style: House = {
  ...plain,
  users: { 'session-alpha': 'alpha', 'session-bravo': 'bravo' },
  stories: ['story/äöü 1'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'VIOLENCE'],
  items: ['i-1', 'i-2', 'i-3', 'i-4'],
  lagMs: 150,
  show: 'GET /v1/users/{userId}',
  entersFirst: true,
  enter: entrance(/^bearer $/i, [
    ['token key stranger', 401, 'unauthorized'],
    ['client user', 400, 'no_client'],
  ]),
  body: (incoming) => {
    if (incoming.text === '') throw new Stopped(400, 'bad_json');
    return anyBody(incoming);
  },
  schemas: {
    ...subjects,
    report: { storyId: 'text', reports: 'list' },
    saveAvatar: { name: 'text' },
    cloneType: { TypeName: 'text' },
    evaluate: { key: 'text' },
  },
  invalid: [422, ([wrong]) => `bad_${wrong}`],
  refused: (status, error, { path }) => {
    // For this service, a GET of the path of `block` is a request for a list without its two numbers, so the status of the refusal is 400
    // instead of 405.
    if (status === 405 && path.endsWith('/block')) return { status: 400, body: { error } };
    return { status: status === 405 && path.includes('/users/') ? 404 : status, body: { error } };
  },
  errors: { pending: 409 },
  done: { status: 202 },
  list: ({ list, page: [size, page] }) => {
    const count = Math.min(size, 100);
    return ok({ page, entries: idsIn(list.toReversed(), page * count, count) });
  },
  says: {
    reportOptions: ({ id: language }) =>
      ok({
        language,
        at: new Date().toISOString(),
        list: [
          { reason: 'SEXUALLY_INAPPROPRIATE', label: `(${language}) sexual` },
          { reason: 'VIOLENCE', label: `(${language}) violence` },
        ],
      }),
    readProfile: ({ id, held }) => ok({ user: { id, ...held.profiles.get(id) } }),
    evaluate: (handled) => ok({ [handled.id]: flagOf(style, handled) ?? null }),
    deleteItem: () => ({ status: 204 }),
  },
};

export const lagging = strangerOf(style, { BLOCK_LIST_SEGMENTS: '50/0' }, [
  [`${lists} reportOptions readProfile evaluate`, /^success-status$/, '200'],
  ['deleteItem', /^success-status$/, '204'],
  ['*', /^success-status$/, /^202(; the first save .*)?$/],
  [lists, /^answer-shape$/, /^\{page\??: (integer|number), entries\??: string\[\]\}$/],
  ['reportOptions', /^answer-shape$/, /^\{language\??: .*, at\??: date-time, list\??: \{.*\}\[\]\}$/],
  ['readProfile', /^answer-shape$/, /^\{user\??: \{.*\}\}$/],
  ['evaluate', /^answer-shape$/, /^\{.*\}$/],
  ['*', /^answer-shape$/, 'no body'],
  // All refusals have this shape, also those of a wrong path or method.
  ['*', /^error-shape$/, 'application/json {error}'],
  ['*', /^(required-field|wrong-type):(friendId|storyId|reports|TypeName|key)$/, /422$/],
  ['saveAvatar', /^(required-field|wrong-type):name$/, /422$/],
  [lists, /^paging$/, 'size/page, first index 0, newest first'],
  ['*', /^languages$/, 'en of 16 tried; an unknown one falls back'],
]);
