import { entrance } from './entrance.ts';
import { flagOf, type House } from './house.ts';
import { subjects } from './schema.ts';
import type { Outgoing } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// A service that stores everything in maps, and returns maps. An empty map is a 404. It reads any value as a text, and ignores `includes`.

const done = (rest: object = {}): Outgoing => ({ status: 200, body: { ok: true, ...rest } });

const REASONS = { SEXUALLY_INAPPROPRIATE: 'Sexual', VIOLENT: 'Violent', SPAM: 'Spam', COPYRIGHT: 'Copyright' };
const GERMAN = { SEXUALLY_INAPPROPRIATE: 'Sexuell', VIOLENT: 'Gewalt', SPAM: 'Spam', COPYRIGHT: 'Urheberrecht' };

const style: House = {
  ...plain,
  users: { 'map:kay:5150': 'kay', 'map:lee:5150': 'lee' },
  stories: ['S:1', 'S:10'],
  codes: Object.keys(REASONS),
  items: ['F:1', 'F:2', 'F:3', 'F:4'],
  show: 'POST /v1/whois/{userId}',
  entersFirst: true,
  enter: entrance(/^bearer $/, [
    ['credential client user app', 400, 'E_HEADER'],
    ['token key', 403, 'E_CREDENTIAL'],
  ]),
  schemas: { ...subjects, cloneType: { FromClientId: 'text', TypeName: 'text' } },
  kinds: { text: (value) => value !== '' },
  invalid: [400, ([wrong]) => `E_FIELD ${wrong}`],
  refused: (status, what) => {
    const [code, ...detail] = what.split(' ');
    const error = { code, detail: detail.join(' '), ref: Math.random().toString(36).slice(2, 10) };
    return { status, body: { ok: false, error } };
  },
  errors: { story: 404, 'not loved': 404, code: 400, item: 410 },
  done: done(),
  list: ({ list, page: [from, to], incoming }) => {
    if (list.length === 0) return style.refused(404, 'E_EMPTY', incoming);
    const page = list.toReversed().slice(from, Math.min(to, from + 40));
    const users = Object.fromEntries(page.map(({ id, since }) => [id, { since }]));
    return done({ users, more: list.length > from + page.length });
  },
  says: {
    love: ({ held }) => done({ loved: held.loves.size }),
    unlove: ({ held }) => done({ loved: held.loves.size }),
    reportOptions: ({ id }) => done({ reasons: id === 'de' ? GERMAN : REASONS }),
    cloneType: ({ fields }) => done({ copy: `${fields['TypeName']}~1` }),
    saveAvatar: ({ fields: { items = [] } }) => done({ layers: [items].flat().length }),
    readProfile: ({ id, held }) => done({ [id]: { profile: held.profiles.get(id) ?? null } }),
    evaluate: (handled) => done({ flags: { [handled.id]: flagOf(style, handled) ?? '' } }),
    deleteItem: ({ id }) => done({ removed: { [id]: true } }),
  },
  applied: ({ includes: _, ...fields }) => fields,
};

export const keyed = strangerOf(style, { FRIEND_ACCESS_TOKEN: undefined, FRIEND_PROFILE_REQUEST: undefined }, [
  ['*', /^answer-shape$/, /^\{ok\??: boolean.*\}$/],
  [lists, /^empty-list$/, 'not found'],
  ['*', /^error-shape$/, 'application/json {ok, error: {code, detail, ref}}'],
  ['love unlove', /^wrong-type:storyId$/, 'accepted as text'],
  ['report', /^required-field:storyId$/, 'required, else 404'],
  ['report', /^wrong-type:reports$/, 'refused with 400'],
  [lists, /^paging$/, 'from/to, first index 0, newest first'],
  ['*', /^languages$/, 'de, en of 16 tried; an unknown one falls back'],
  ['*', /^includes-effect$/, 'none: every field given is applied'],
]);
