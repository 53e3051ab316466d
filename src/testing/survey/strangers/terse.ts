import { entrance } from './entrance.ts';
import { flagOf, type House, house, idsIn, included } from './house.ts';
import { subjects } from './schema.ts';
import { anyBody, type Incoming, type Outgoing, ok, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// Returns as little as possible: changes get an empty 200, lists are bare, rejections one line of text; sometimes it throttles.

/** One in this many requests is throttled. */
const THROTTLED_EVERY = 151;

const style: House = {
  ...plain,
  users: { 'terse-token-u1': 'u1', 'terse-token-u2': 'u2' },
  stories: ['x'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'RUDE'],
  languages: ['en', 'it', 'pt'],
  items: ['b1', 'b2', 'b3', 'b4'],
  entersFirst: true,
  enter: entrance(/^bearer $/, [
    ['client', 400, 'mm-client-id is missing'],
    ['key', 403, 'forbidden'],
    ['token stranger', 401, 'unauthorized'],
  ]),
  body: (incoming, row) => {
    const given = anyBody(incoming);
    if (row === 'report' && [given['reports']].flat().length === 0) throw new Stopped(400, 'incomplete report');
    return given;
  },
  schemas: {
    ...subjects,
    report: { storyId: 'text', reports: 'list' },
    cloneType: { FromClientId: 'text', TypeName: 'text', TypeVersion: 'text' },
    saveAvatar: { name: 'whole64', items: 'list' },
    evaluate: { key: 'text' },
  },
  /** Every text but the name of an avatar must hold something. */
  kinds: {
    text: (value: unknown) => typeof value === 'string' && value !== '',
    whole: (value: unknown) => typeof value === 'string',
  },
  invalid: [400, (wrong) => `bad ${wrong}`],
  refused: (status, text) => ({ status, type: 'text/plain; charset=utf-8', body: `${text}\n` }),
  errors: { 'not blocked': 404, language: 404, user: 404, item: 404, version: 409 },
  done: { status: 200, type: null, body: '' },
  list: ({ list, page: [limit, offset] }) => ok(idsIn(list.toReversed(), offset, limit)),
  says: {
    reportOptions: ({ id }) => ok([...style.codes, id.toUpperCase()]),
    readProfile: ({ id, held }) => ok(held.profiles.get(id) ?? {}),
    evaluate: (told) => ({ ...ok(JSON.stringify(flagOf(style, told) ?? null)), type: 'application/json' }),
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
    // A GET of either path has no numbers or no id.
    ['*', /^error-shape$/, 'text/plain, no JSON'],
    ['*', /^(required-field|wrong-type):(\w+Id|reports|TypeName|TypeVersion|items|key)$/, /400$/],
    ['saveAvatar', /^(required-field|wrong-type):name$/, /400$/],
    ['*', /^report-codes$/, /SEXUALLY_INAPPROPRIATE, (RUDE, \w\w|\w\w, RUDE)/],
    [lists, /^paging$/, 'limit/offset, first index 0, newest first'],
  ],
  throttling,
);
