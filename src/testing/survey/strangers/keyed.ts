import { flagOf, type House } from './house.ts';
import { breaches, type Schemas, subjects } from './schema.ts';
import { anyBody, type Outgoing, Stopped } from './serve.ts';
import { APP_HEADERS, plain } from './stock.ts';
import { strangerOf } from './stranger.ts';

// Stores everything in maps and returns maps; coerces its input, and ignores `includes`.

const done = (rest: object = {}): Outgoing => ({ status: 200, body: { ok: true, ...rest } });

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  user: ['authorization', 'mm-client-id', 'mm-user-id'],
  type: ['mm-client-id', 'mm-api-key'],
  feature: ['mm-client-id', 'mm-user-id', 'mm-api-key', ...APP_HEADERS],
};
/** What must hold something. */
const schemas: Schemas = { ...subjects, clone: { FromClientId: 'text', TypeName: 'text' } };
const REASONS = { SEXUALLY_INAPPROPRIATE: 'Sexual', VIOLENT: 'Violent', SPAM: 'Spam', COPYRIGHT: 'Copyright' };
const GERMAN = { SEXUALLY_INAPPROPRIATE: 'Sexuell', VIOLENT: 'Gewalt', SPAM: 'Spam', COPYRIGHT: 'Urheberrecht' };

const style: House = {
  ...plain,
  users: { 'map:kay:5150': 'kay', 'map:lee:5150': 'lee' },
  stories: ['S:1', 'S:10'],
  codes: Object.keys(REASONS),
  items: ['F:1', 'F:2', 'F:3', 'F:4'],
  show: 'POST /v1/whois/*',
  entersFirst: true,
  enter: ({ path, headers }) => {
    const kind = path.endsWith('/feature') ? 'feature' : path.endsWith('/clone') ? 'type' : 'user';
    for (const name of HEADERS[kind] ?? []) if (!headers[name]) throw new Stopped(400, `E_HEADER ${name}`);
    const isFine =
      kind === 'user'
        ? (headers['authorization'] ?? '').replace(/^bearer /, '') in style.users
        : headers['mm-api-key'] === style.apiKey;
    if (!isFine) throw new Stopped(403, `E_CREDENTIAL ${kind}`);
  },
  body: (incoming, row) => {
    const given = anyBody(incoming);
    const [wrong] = breaches(given, schemas[row], { text: (value) => value !== '' });
    if (wrong) throw new Stopped(400, `E_FIELD ${wrong}`);
    return given;
  },
  refused: (status, what) => {
    const [code, ...detail] = what.split(' ');
    const error = { code, detail: detail.join(' '), ref: Math.random().toString(36).slice(2, 10) };
    return { status, body: { ok: false, error } };
  },
  errors: [
    [404, 'story', 'not loved'],
    [400, 'code'],
    [410, 'item'],
  ],
  done: done(),
  list: ({ list, page: [from, to] }) => {
    const page = list.toReversed().slice(from, Math.min(to, from + 40));
    const users = Object.fromEntries(page.map(({ id, since }) => [id, { since }]));
    return done({ users, more: list.length > from + page.length });
  },
  says: {
    love: ({ held }) => done({ loved: held.loves.size }),
    unlove: ({ held }) => done({ loved: held.loves.size }),
    options: ({ id }) => done({ reasons: id === 'de' ? GERMAN : REASONS }),
    clone: ({ fields }) => done({ copy: `${fields['TypeName']}~1` }),
    avatar: ({ fields: { items = [] } }) => done({ layers: [items].flat().length }),
    show: ({ id, held }) => done({ [id]: { profile: held.profiles.get(id) ?? null } }),
    feature: (told) => done({ flags: { [told.id]: flagOf(style, told) ?? '' } }),
    item: ({ id }) => done({ removed: { [id]: true } }),
  },
  applied: ({ includes: _, ...fields }) => fields,
};

export const keyed = strangerOf(style, { FRIEND_ACCESS_TOKEN: undefined, FRIEND_PROFILE_REQUEST: undefined }, [
  ['*', /^answer-shape$/, /^\{ok\??: boolean.*\}$/],
  ['*', /^missing-header:/, 'refused with 400'],
  ['*', /^wrong-header:(Authorization|mm-api-key)$/, 'refused with 403'],
  ['*', /^wrong-header:/, 'accepted'],
  ['*', /^scheme-case$/, 'only bearer'],
  ['*', /^token-user$/, 'not tied'],
  ['*', /^error-shape$/, 'application/json {ok, error: {code, detail, ref}}'],
  ['report', /^required-field:storyId$/, 'required, else 404'],
  ['*', /^required-field:(friendId|storyId|FromClientId|TypeName)$/, 'required, else 400'],
  ['love unlove', /^wrong-type:storyId$/, 'accepted as text'],
  ['report', /^wrong-type:reports$/, 'refused with 400'],
  ['unlove', /^(repeat|unknown-story)$/, 'refused with 404'],
  ['deleteItem', /^(repeat|unknown-item)$/, 'refused with 410'],
  ['*', /^(repeat|unknown-user|unknown-language)$/, 'accepted'],
  ['listBlocked listBlockers', /^paging$/, /^from\/to, first index 0, (cap 40|no cap up to \d+), newest first$/],
  ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, COPYRIGHT, SPAM, VIOLENT'],
  ['*', /^languages$/, 'de, en of 16 tried; an unknown one falls back'],
  ['*', /^includes-effect$/, 'none: every field given is applied'],
]);
