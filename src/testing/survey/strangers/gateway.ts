import { entrance } from './entrance.ts';
import { flagOf, type House, idsIn } from './house.ts';
import { subjects } from './schema.ts';
import type { Outgoing } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// A gateway checks credentials and ids, and refuses with HTML. The service behind it accepts almost everything that comes through.

const PAGES: Readonly<Record<number, string>> = {
  401: 'Authorization Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
};

const ok = (body: object = {}): Outgoing => ({ status: 200, body });

const style: House = {
  ...plain,
  users: { 'gw-token-one': 'u-1', 'gw-token-two': 'u-2' },
  stories: ['s-9', 's-90'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'SPAM_OR_SCAM', 'SELF_HARM'],
  items: ['file-1', 'file-2', 'file-3'],
  show: 'GET /v1/people/{userId}',
  enter: entrance(/^[Bb]earer $/, [
    ['token key', 401],
    ['client user', 403],
  ]),
  schemas: {
    ...subjects,
    report: { storyId: 'text', reports: 'list' },
    cloneType: { FromClientId: 'text', TypeName: 'text' },
    evaluate: { key: 'text' },
  },
  kinds: { text: Boolean },
  invalid: [400, ([wrong]) => `${wrong}?`],
  // The service behind the gateway refuses with a line of text, the gateway with an HTML page.
  refused: (status, what) => {
    if (what !== '' && what !== 'path') return { status, type: 'text/plain', body: what };
    const title = `${status} ${PAGES[status]}`;
    return {
      status,
      type: 'text/html; charset=utf-8',
      body: `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>gateway/1.21</body></html>`,
    };
  },
  errors: { item: 404 },
  done: ok(),
  list: ({ list, page }) => ok(idsIn(list, ...page)),
  says: {
    reportOptions: () => ok({ reasons: style.codes }),
    readProfile: ({ id, held }) => ok({ id, about: held.profiles.get(id) ?? {} }),
    evaluate: (handled) => ok({ value: flagOf(style, handled) }),
  },
  applied: ({ includes: _, ...fields }) => fields,
};

const html = 'text/html, no JSON';
const text = 'text/plain, no JSON';

export const gateway = strangerOf(style, {}, [
  [lists, /^answer-shape$/, 'string[]'],
  ['reportOptions', /^answer-shape$/, /^\{reasons\??: .*\}$/],
  ['evaluate', /^answer-shape$/, /^\{value\??: string\}$/],
  ['readProfile', /^answer-shape$/, /^\{id\??: string, about\??: \{.*\}\}$/],
  ['*', /^answer-shape$/, '{}'],
  ['deleteItem', /^error-shape$/, new RegExp(`^(${html}|.*unknown id: ${text}.*)$`)],
  ['listBlocked listBlockers reportOptions readProfile', /^error-shape$/, html],
  ['*', /^error-shape$/, new RegExp(`^(${html}|.*malformed JSON: ${text}.*)$`)],
  ['report', /^wrong-type:reports$/, 'refused with 400'],
  [lists, /^paging$/, 'offset/limit, first index 0, oldest first'],
  ['*', /^languages$/, /^en of 16 tried; an unknown one falls back$/],
  ['*', /^includes-effect$/, 'none: every field given is applied'],
]);
