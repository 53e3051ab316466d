import { flagOf, type House, house, idsIn, included } from './house.ts';
import { breaches, type Schemas, subjects } from './schema.ts';
import { anyBody, type Incoming, type Outgoing, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';

// Returns as little as possible: changes get an empty 200, lists are bare, rejections one line of text; sometimes it throttles.

const ok = (body: unknown): Outgoing => ({ status: 200, body });

/** One in this many requests is throttled. */
const THROTTLED_EVERY = 151;

const schemas: Schemas = {
  ...subjects,
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

const style: House = {
  ...plain,
  users: { 'terse-token-u1': 'u1', 'terse-token-u2': 'u2' },
  stories: ['x'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'RUDE'],
  languages: ['en', 'it', 'pt'],
  items: ['b1', 'b2', 'b3', 'b4'],
  entersFirst: true,
  enter: ({ headers, path }) => {
    if (!headers['mm-client-id']) throw new Stopped(400, 'mm-client-id is missing');
    if (path.startsWith('/v1/apikey/')) {
      if (headers['mm-api-key'] !== style.apiKey) throw new Stopped(403, 'forbidden');
      return;
    }
    const user = style.users[/^bearer (.*)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''];
    if (!user || user !== headers['mm-user-id']) throw new Stopped(401, 'unauthorized');
  },
  body: (incoming, row) => {
    const given = anyBody(incoming);
    const wrong = breaches(given, schemas[row], kinds);
    if (wrong.length > 0) throw new Stopped(400, `bad ${wrong}`);
    if (row === 'report' && [given['reports']].flat().length === 0) throw new Stopped(400, 'incomplete report');
    return given;
  },
  refused: (status, text) => ({ status, type: 'text/plain; charset=utf-8', body: `${text}\n` }),
  errors: [
    [404, 'not blocked', 'language', 'user', 'item'],
    [409, 'version'],
  ],
  done: { status: 200, type: null, body: '' },
  list: ({ list, page: [limit, offset] }) => ok(idsIn(list.toReversed(), offset, limit)),
  says: {
    options: ({ id }) => ok([...style.codes, id.toUpperCase()]),
    show: ({ id, held }) => ok(held.profiles.get(id) ?? {}),
    feature: (told) => ({ ...ok(JSON.stringify(flagOf(style, told) ?? null)), type: 'application/json' }),
  },
  applied: (fields) => included({ includes: '', ...fields }),
};

const throttling = () => {
  const service = house(style);
  let served = 0;
  return (incoming: Incoming): Outgoing =>
    ++served % THROTTLED_EVERY === 0
      ? { ...style.refused(429, 'slow down', incoming), headers: { 'retry-after': '0' } }
      : service(incoming);
};

export const terse = strangerOf(
  style,
  { BLOCK_LIST_SEGMENTS: '100/0' },
  [
    ['listBlocked listBlockers reportOptions', /^answer-shape$/, 'string[]'],
    ['readProfile', /^answer-shape$/, /^\{.*\}$/],
    ['evaluate', /^answer-shape$/, 'string'],
    ['*', /^answer-shape$/, 'no body'],
    ['*', /^missing-header:mm-client-id$/, 'refused with 400'],
    ['*', /^missing-header:mm-api-key$/, 'refused with 403'],
    ['evaluate', /^missing-header:/, 'accepted'],
    ['*', /^missing-header:/, 'refused with 401'],
    ['*', /^wrong-header:mm-api-key$/, 'refused with 403'],
    ['evaluate cloneType', /^wrong-header:/, 'accepted'],
    ['*', /^wrong-header:mm-client-id$/, 'accepted'],
    ['*', /^wrong-header:mm-user-id$/, 'refused with 401'],
    ['*', /^scheme-case$/, 'only bearer'],
    // A GET of either path has no numbers or no id.
    ['block unblock', /^method-not-allowed$/, /^refused with (404|405)$/],
    ['*', /^error-shape$/, 'text/plain, no JSON'],
    ['*', /^(required-field|wrong-type):(\w+Id|reports|TypeName|TypeVersion|items|key)$/, /400$/],
    ['saveAvatar', /^(required-field|wrong-type):name$/, /400$/],
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
  throttling,
);
