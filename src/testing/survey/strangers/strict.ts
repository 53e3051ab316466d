import { entrance } from './entrance.ts';
import { flagOf, type House, idsIn } from './house.ts';
import { jsonBody, ok, Stopped } from './serve.ts';
import { plain } from './stock.ts';
import { strangerOf } from './stranger.ts';
import { lists } from './truth.ts';

// Validates all input against a table of constraints, rejects with problem+json, and knows who and what exists.

const style: House = {
  ...plain,
  users: { 'eyJ.mila': 'mila', 'eyJ.noah': 'noah' },
  stories: ['the-lake', 'the-hill'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'BULLYING', 'FAKE', 'OTHER'],
  languages: ['en', 'de', 'fr', 'es', 'ja'],
  items: ['doc-a', 'doc-b', 'doc-c'],
  show: 'GET /v1/profile/{userId}/card',
  enter: entrance(/^bearer $/, [
    ['credential', 401, 'Unauthenticated'],
    ['client user app', 400, 'Missing header'],
    ['token', 401, 'Unauthenticated'],
    ['key stranger foreign', 403, 'Not yours'],
  ]),
  body: (incoming, row) => {
    const given = jsonBody(415, 'JSON only')(incoming);
    const odd = Object.keys(given).filter((field) => !Object.hasOwn(style.schemas?.[row] ?? {}, field));
    if (odd.length > 0) throw new Stopped(400, `Invalid: ${odd}`);
    return given;
  },
  schemas: {
    block: { friendId: 'text64' },
    unblock: { friendId: 'text64' },
    love: { storyId: 'text64' },
    unlove: { storyId: 'text64' },
    report: { storyId: 'text64', reports: 'list', message: 'text140' },
    cloneType: {
      FromClientId: 'text',
      TypeName: 'text',
      TypeVersion: 'text40',
      Files: 'list',
      IsSetDefaultTypeVersion: 'flag',
    },
    saveAvatar: { includes: 'text', name: 'text60', meta: 'text2000', items: 'list' },
    updateProfile: { includes: 'text', name: 'text?60', status: 'text?100', url: 'text?2048', gender: 'whole?' },
    evaluate: { key: 'text', default: 'text', contextData: 'map' },
  },
  kinds: { whole: (value) => [0, 1, 2].includes(value as number) },
  invalid: [400, (wrong) => `Invalid: ${wrong}`],
  // The problem, and the fields that it is in.
  refused: (status, what) => {
    const [title, fields] = what.split(': ');
    const errors = fields === undefined ? {} : { errors: fields.split(',') };
    const problem = { type: `https://problems.example/${status}`, title, status, ...errors };
    return { status, type: 'application/problem+json', body: JSON.stringify(problem) };
  },
  errors: {
    ...{ friend: 404, 'not blocked': 404, story: 404, language: 404, type: 404, user: 404, item: 404 },
    ...{ code: 400, blocked: 409, loved: 409, 'not loved': 409, version: 409 },
  },
  done: { status: 204 },
  list: ({ list, page: [skip, take] }) =>
    ok({ users: idsIn(list.toReversed(), skip, Math.min(take, 30)).map((id) => ({ id })) }),
  says: {
    block: ({ id }) => ({ status: 201, body: { blocked: id } }),
    reportOptions: ({ id }) => ok(style.codes.map((code) => ({ code, title: `${id}:${code.toLowerCase()}` }))),
    report: () => ({ status: 202 }),
    cloneType: ({ id }) => ({ status: 201, body: { version: id } }),
    saveAvatar: ({ me, isNew }) => ({ status: isNew ? 201 : 200, body: { owner: me } }),
    readProfile: ({ id, held }) => ok({ id, ...held.profiles.get(id) }),
    evaluate: (told) => ok({ result: flagOf(style, told) }),
  },
};

export const strict = strangerOf(style, { BLOCK_LIST_SEGMENTS: '0/30' }, [
  ['block cloneType', /^success-status$/, '201'],
  ['unblock love unlove updateProfile getFriendProfile deleteItem', /^success-status$/, '204'],
  ['report', /^success-status$/, '202'],
  ['saveAvatar', /^success-status$/, /^(201, 200|200; the first save .*)$/],
  ['*', /^success-status$/, '200'],
  ['unblock love unlove updateProfile getFriendProfile deleteItem report', /^answer-shape$/, 'no body'],
  ['block', /^answer-shape$/, /^\{blocked\??: string\}$/],
  [lists, /^answer-shape$/, /^\{users\??: \{id\??: string\}\[\]\}$/],
  ['reportOptions', /^answer-shape$/, /^\{code\??: .*, title\??: string\}\[\]$/],
  ['cloneType', /^answer-shape$/, /^\{version\??: string\}$/],
  ['saveAvatar', /^answer-shape$/, /^\{owner\??: string\}$/],
  ['readProfile', /^answer-shape$/, /^\{id\??: string.*\}$/],
  ['evaluate', /^answer-shape$/, /^\{result\??: string\}$/],
  ['*', /^error-shape$/, /^(.*: )?application\/problem\+json \{type, title, status.*$/],
  ['*', /^(wrong-type:|unknown-field$|malformed-json$)/, 'refused with 400'],
  ['*', /^missing-content-type$/, 'refused with 415'],
  ['*', /^allowed-values:gender$/, '0, 1, 2; not -1, 3, 9, 100'],
  [lists, /^paging$/, /^offset\/limit, first index 0/],
]);
