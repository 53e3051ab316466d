import { flagOf, type House } from './house.ts';
import { breaches, type Schemas, usualSchemas } from './schema.ts';
import { anyBody, type Outgoing, Stopped } from './serve.ts';
import { APP_HEADERS, plain } from './stock.ts';
import { strangerOf } from './stranger.ts';

// The status is always 200; a code in the envelope signals success. Pages are numbered from 1, with 20 entries at most.

const ok = (data: unknown = null): Outgoing => ({ status: 200, body: { code: 0, msg: 'success', data } });

const schemas: Schemas = {
  ...usualSchemas,
  report: { storyId: 'text', reports: 'list', message: 'text?200' },
  avatar: { includes: 'text', name: 'text', meta: 'text', items: 'list' },
  profile: { ...usualSchemas['profile'], includes: 'text' },
  feature: { key: 'text', default: 'text', contextData: 'map?' },
};

const style: House = {
  ...plain,
  users: { 'tk-99110': '10001', 'tk-99220': '10002' },
  stories: ['w-500', 'w-501'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'ADS', 'ABUSE'],
  languages: ['en', 'zh'],
  items: ['k1', 'k2', 'k3', 'k4'],
  enter: ({ headers, path }) => {
    const need = (...names: readonly string[]) => {
      if (!names.every((name) => headers[name])) throw new Stopped(40001);
    };
    if (path.includes('/apikey/')) {
      const isFlag = path.endsWith('/feature');
      need('mm-client-id', 'mm-api-key', ...(isFlag ? ['mm-user-id', ...APP_HEADERS] : []));
      const { 'mm-api-key': key, 'mm-client-id': client } = headers;
      if (key !== style.apiKey || client !== style.client) throw new Stopped(40102);
      if (isFlag && !/^\d+$/.test(headers['app-ver'] ?? '')) throw new Stopped(40008);
      return;
    }
    need('authorization', 'mm-client-id', 'mm-user-id');
    const user = style.users[(headers['authorization'] ?? '').replace(/^bearer /i, '')];
    if (!user) throw new Stopped(40101);
    if (user !== headers['mm-user-id']) throw new Stopped(40301);
    if (headers['mm-client-id'] !== style.client) throw new Stopped(40302);
  },
  body: (incoming, row) => {
    if (!incoming.headers['content-type']?.startsWith('application/json')) throw new Stopped(41500);
    const given = anyBody(incoming);
    if (breaches(given, schemas[row]).length > 0) throw new Stopped(40003);
    if (![undefined, 0, 1, 2, 9].includes(given['gender'] as number | undefined)) throw new Stopped(40007);
    return given;
  },
  refused: (code) => ({ status: 200, body: { code, msg: `error ${code}`, data: null } }),
  errors: [
    [40401, 'story'],
    [40901, 'loved'],
    [40402, 'language'],
    [40005, 'code'],
    [40403, 'user'],
    [40404, 'item'],
  ],
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
    options: ({ id }) => ok(style.codes.map((key) => ({ key, text: `${id} ${key}` }))),
    report: ({ held }) => ok({ ticket: held.reports.size }),
    clone: () => ok({ cloned: true }),
    avatar: ({ isNew }) => ok({ isNew }),
    show: ({ id, held }) => ok({ uid: id, ...held.profiles.get(id) }),
    feature: (told) => ok({ on: told.id === style.flag[0], val: flagOf(style, told) }),
  },
};

export const envelope = strangerOf(style, { SUCCESS_WHEN: '/code=0', APP_VER: '310', BLOCK_LIST_SEGMENTS: '1/20' }, [
  ['*', /^answer-shape$/, /^\{code\??: (integer|number), msg\??: string, data\??: .*\}$/],
  ['*', /^missing-header:/, 'refused with 200'],
  ['*', /^wrong-header:(Authorization|mm-api-key|mm-client-id|app-ver)$/, 'refused with 200'],
  ['evaluate', /^wrong-header:/, 'accepted'],
  ['*', /^wrong-header:mm-user-id$/, 'refused with 200'],
  ['*', /^method-not-allowed$/, 'refused with 200'],
  ['*', /^error-shape$/, 'application/json {code, msg, data}'],
  ['report', /^required-field:message$/, 'optional'],
  ['cloneType', /^required-field:(Files|IsSetDefaultTypeVersion)$/, 'optional'],
  ['updateProfile getFriendProfile', /^required-field:(name|status|url|gender)$/, 'optional'],
  ['evaluate', /^required-field:contextData$/, 'optional'],
  ['*', /^required-field:/, 'required, else 200'],
  ['*', /^(wrong-type:|malformed-json$|missing-content-type$)/, 'refused with 200'],
  ['report', /^text-limit:message$/, '200 characters, else 200'],
  ['*', /^allowed-values:gender$/, '0, 1, 2, 9; not -1, 3, 100'],
  ['readProfile', /^unknown-user$/, 'refused with 200'],
  ['love deleteItem', /^repeat$/, 'refused with 200'],
  ['*', /^(repeat|unknown-user)$/, 'accepted'],
  ['*', /^unknown-(story|code|language|item)$/, 'refused with 200'],
  ['listBlocked listBlockers', /^paging$/, 'page/size, first index 1, cap 20, oldest first'],
  ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, ABUSE, ADS'],
  ['*', /^languages$/, 'en, zh of 16 tried'],
]);
