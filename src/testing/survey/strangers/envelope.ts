import { entrance } from './entrance.ts';
import { flagOf, type House } from './house.ts';
import { usualSchemas } from './schema.ts';
import { jsonBody, type Outgoing, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// A service whose status is always 200: a code in the body signals success. Its pages are numbered from 1, and have 20 entries at most.

const ok = (data: unknown = null): Outgoing => ({ status: 200, body: { code: 0, msg: 'success', data } });

const style: House = {
  ...plain,
  users: { 'tk-99110': '10001', 'tk-99220': '10002' },
  stories: ['w-500', 'w-501'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'ADS', 'ABUSE'],
  languages: ['en', 'zh'],
  items: ['k1', 'k2', 'k3', 'k4'],
  enter: entrance(/^(bearer )?$/i, [
    ['credential client user app', 40001],
    ['token key', 40101],
    ['stranger', 40301],
    ['foreign', 40302],
    ['version', 40008],
  ]),
  body: jsonBody(41500),
  schemas: {
    ...usualSchemas,
    report: { storyId: 'text', reports: 'list', message: 'text?200' },
    saveAvatar: { includes: 'text', name: 'text', meta: 'text', items: 'list' },
    updateProfile: { ...usualSchemas['updateProfile'], includes: 'text' },
    evaluate: { key: 'text', default: 'text', contextData: 'map?' },
  },
  kinds: { whole: (value) => [0, 1, 2, 9].includes(value as number) },
  invalid: [40003],
  refused: (code) => ({ status: 200, body: { code, msg: `error ${code}`, data: null } }),
  errors: { story: 40401, loved: 40901, language: 40402, code: 40005, user: 40403, item: 40404 },
  done: ok(),
  list: ({ list, page: [page, size] }) => {
    if (page < 1 || size < 1) throw new Stopped(40004);
    const count = Math.min(size, 20);
    const shown = list.slice((page - 1) * count, page * count);
    return ok({ total: list.length, list: shown.map(({ id }) => ({ uid: id, nick: `nick ${id.length}` })) });
  },
  says: {
    love: () => ok({ liked: true }),
    unlove: () => ok({ liked: false }),
    reportOptions: ({ id }) => ok(style.codes.map((key) => ({ key, text: `${id} ${key}` }))),
    report: ({ held }) => ok({ ticket: held.reports.size }),
    cloneType: () => ok({ cloned: true }),
    saveAvatar: ({ isNew }) => ok({ isNew }),
    readProfile: ({ id, held }) => ok({ uid: id, ...held.profiles.get(id) }),
    evaluate: (handled) => ok({ on: handled.id === style.flag[0], val: flagOf(style, handled) }),
  },
};

export const envelope = strangerOf(style, { SUCCESS_WHEN: '/code=0', APP_VER: '310', BLOCK_LIST_SEGMENTS: '1/20' }, [
  ['*', /^answer-shape$/, /^\{code\??: (integer|number), msg\??: string, data\??: .*\}$/],
  ['*', /^error-shape$/, 'application/json {code, msg, data}'],
  ['*', /^(wrong-type:|malformed-json$|missing-content-type$)/, 'refused with 200'],
  ['*', /^allowed-values:gender$/, '0, 1, 2, 9; not -1, 3, 100'],
  [lists, /^paging$/, 'page/size, first index 1, oldest first'],
]);
