import { flagOf, type House, idsIn } from './house.ts';
import { breaches, type Schemas, subjects } from './schema.ts';
import { anyBody, type Outgoing, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';

// A gateway rejects with HTML and requires every header; the service behind it accepts everything that comes through.

const PAGES: Readonly<Record<number, string>> = {
  401: 'Authorization Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
};

/** What must be there. */
const schemas: Schemas = {
  ...subjects,
  report: { storyId: 'text', reports: 'list' },
  clone: { FromClientId: 'text', TypeName: 'text' },
  feature: { key: 'text' },
};

const ok = (body: object = {}): Outgoing => ({ status: 200, body });

const style: House = {
  ...plain,
  users: { 'gw-token-one': 'u-1', 'gw-token-two': 'u-2' },
  stories: ['s-9', 's-90'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'SPAM_OR_SCAM', 'SELF_HARM'],
  items: ['file-1', 'file-2', 'file-3'],
  show: 'GET /v1/people/*',
  enter: ({ headers, path }) => {
    const isIn = path.includes('/apikey/')
      ? headers['mm-api-key'] === style.apiKey
      : (/^[Bb]earer (.*)$/.exec(headers['authorization'] ?? '')?.[1] ?? '') in style.users;
    if (!isIn) throw new Stopped(401);
    const needed = ['mm-client-id', ...(path.endsWith('/clone') ? [] : ['mm-user-id'])];
    if (!needed.every((header) => headers[header])) throw new Stopped(403);
  },
  body: (incoming, row) => {
    const given = anyBody(incoming);
    const [wrong] = breaches(given, schemas[row], { text: Boolean });
    if (wrong) throw new Stopped(400, `${wrong}?`);
    return given;
  },
  // What the service behind misses is said in a line of text, everything else on a page.
  refused: (status, what) => {
    if (what !== '' && what !== 'path') return { status, type: 'text/plain', body: what };
    const title = `${status} ${PAGES[status]}`;
    return {
      status,
      type: 'text/html; charset=utf-8',
      body: `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>gateway/1.21</body></html>`,
    };
  },
  errors: [[404, 'item']],
  done: ok(),
  list: ({ list, page }) => ok(idsIn(list, ...page)),
  says: {
    options: () => ok({ reasons: style.codes }),
    show: ({ id, held }) => ok({ id, about: held.profiles.get(id) ?? {} }),
    feature: (told) => ok({ value: flagOf(style, told) }),
  },
  applied: ({ includes: _, ...fields }) => fields,
};

const html = 'text/html, no JSON';
const text = 'text/plain, no JSON';

export const gateway = strangerOf(style, {}, [
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
  ['*', /^required-field:(friendId|storyId|reports|FromClientId|TypeName|key)$/, 'required, else 400'],
  ['report', /^wrong-type:reports$/, 'refused with 400'],
  ['deleteItem', /^repeat$/, 'refused with 404'],
  ['*', /^(repeat|unknown-user|unknown-story|unknown-code|unknown-language)$/, 'accepted'],
  ['listBlocked listBlockers', /^paging$/, /^offset\/limit, first index 0, no cap up to \d+, oldest first$/],
  ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, SELF_HARM, SPAM_OR_SCAM'],
  ['*', /^languages$/, /^en of 16 tried; an unknown one falls back$/],
  ['*', /^includes-effect$/, 'none: every field given is applied'],
]);
