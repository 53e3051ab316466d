import { flagOf, type House, idsIn } from './house.ts';
import { breaches, type Schemas } from './schema.ts';
import { anyBody, type Outgoing, Stopped } from './serve.ts';
import { APP_HEADERS, plain } from './stock.ts';
import { strangerOf } from './stranger.ts';

// Validates all input against a table of constraints, rejects with problem+json, and knows who and what exists.

const schemas: Schemas = {
  block: { friendId: 'text64' },
  unblock: { friendId: 'text64' },
  love: { storyId: 'text64' },
  unlove: { storyId: 'text64' },
  report: { storyId: 'text64', reports: 'list', message: 'text140' },
  clone: {
    FromClientId: 'text',
    TypeName: 'text',
    TypeVersion: 'text40',
    Files: 'list',
    IsSetDefaultTypeVersion: 'flag',
  },
  avatar: { includes: 'text', name: 'text60', meta: 'text2000', items: 'list' },
  profile: { includes: 'text', name: 'text?60', status: 'text?100', url: 'text?2048', gender: 'whole?' },
  feature: { key: 'text', default: 'text', contextData: 'map' },
};

const ok = (body: unknown): Outgoing => ({ status: 200, body });

const style: House = {
  ...plain,
  users: { 'eyJ.mila': 'mila', 'eyJ.noah': 'noah' },
  stories: ['the-lake', 'the-hill'],
  codes: ['SEXUALLY_INAPPROPRIATE', 'BULLYING', 'FAKE', 'OTHER'],
  languages: ['en', 'de', 'fr', 'es', 'ja'],
  items: ['doc-a', 'doc-b', 'doc-c'],
  show: 'GET /v1/profile/*/card',
  enter: ({ headers, path }) => {
    const isOfKey = path.includes('/apikey/');
    const [isClone, isFlag] = [path.endsWith('/clone'), path.endsWith('/feature')];
    const needed = ['mm-client-id', ...(isClone ? [] : ['mm-user-id']), ...(isFlag ? APP_HEADERS : [])];
    const user = style.users[/^bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''];
    if (isOfKey ? !headers['mm-api-key'] : !headers['authorization']) throw new Stopped(401, 'Unauthenticated');
    const absent = needed.filter((header) => !headers[header]);
    if (absent.length > 0) throw new Stopped(400, `Missing header: ${absent}`);
    if (!isOfKey && !user) throw new Stopped(401, 'Unauthenticated');
    const isTheirs = isOfKey ? headers['mm-api-key'] === style.apiKey : user === headers['mm-user-id'];
    if (!isTheirs || headers['mm-client-id'] !== style.client) throw new Stopped(403, 'Not yours');
  },
  body: (incoming, row) => {
    if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? '')) throw new Stopped(415, 'JSON only');
    const given = anyBody(incoming);
    const odd = Object.keys(given).filter((field) => !Object.hasOwn(schemas[row] ?? {}, field));
    const wrong = [...odd, ...breaches(given, schemas[row])];
    if (wrong.length > 0 || ![undefined, 0, 1, 2].includes(given['gender'] as number | undefined))
      throw new Stopped(400, `Invalid: ${wrong}`);
    return given;
  },
  // The problem, and the fields that it is in.
  refused: (status, what) => {
    const [title, fields] = what.split(': ');
    const errors = fields === undefined ? {} : { errors: fields.split(',') };
    const problem = { type: `https://problems.example/${status}`, title, status, ...errors };
    return { status, type: 'application/problem+json', body: JSON.stringify(problem) };
  },
  errors: [
    [400, 'code'],
    [404, 'friend', 'not blocked', 'story', 'language', 'type', 'user', 'item'],
    [409, 'blocked', 'loved', 'not loved', 'version'],
  ],
  done: { status: 204 },
  list: ({ list, page: [skip, take] }) =>
    ok({ users: idsIn(list.toReversed(), skip, Math.min(take, 30)).map((id) => ({ id })) }),
  says: {
    block: ({ id }) => ({ status: 201, body: { blocked: id } }),
    options: ({ id }) => ok(style.codes.map((code) => ({ code, title: `${id}:${code.toLowerCase()}` }))),
    report: () => ({ status: 202 }),
    clone: ({ id }) => ({ status: 201, body: { version: id } }),
    avatar: ({ me, isNew }) => ({ status: isNew ? 201 : 200, body: { owner: me } }),
    show: ({ id, held }) => ok({ id, ...held.profiles.get(id) }),
    feature: (told) => ok({ result: flagOf(style, told) }),
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
  ['listBlocked listBlockers', /^answer-shape$/, /^\{users\??: \{id\??: string\}\[\]\}$/],
  ['reportOptions', /^answer-shape$/, /^\{code\??: .*, title\??: string\}\[\]$/],
  ['cloneType', /^answer-shape$/, /^\{version\??: string\}$/],
  ['saveAvatar', /^answer-shape$/, /^\{owner\??: string\}$/],
  ['readProfile', /^answer-shape$/, /^\{id\??: string.*\}$/],
  ['evaluate', /^answer-shape$/, /^\{result\??: string\}$/],
  ['*', /^missing-header:(Authorization|mm-api-key)$/, 'refused with 401'],
  ['*', /^missing-header:/, 'refused with 400'],
  ['*', /^wrong-header:Authorization$/, 'refused with 401'],
  ['evaluate', /^wrong-header:(mm-user-id|app-.*)$/, 'accepted'],
  ['*', /^wrong-header:/, 'refused with 403'],
  ['*', /^scheme-case$/, 'only bearer'],
  ['*', /^error-shape$/, /^(.*: )?application\/problem\+json \{type, title, status.*$/],
  ['updateProfile getFriendProfile', /^required-field:(name|status|url|gender)$/, 'optional'],
  ['*', /^required-field:/, 'required, else 400'],
  ['*', /^(wrong-type:|unknown-field$|malformed-json$)/, 'refused with 400'],
  ['*', /^missing-content-type$/, 'refused with 415'],
  ['report', /^text-limit:message$/, '140 characters, else 400'],
  ['*', /^text-limit:name$/, '60 characters, else 400'],
  ['*', /^text-limit:status$/, '100 characters, else 400'],
  ['*', /^text-limit:url$/, '2048 characters, else 400'],
  ['*', /^text-limit:meta$/, '2000 characters, else 400'],
  ['*', /^allowed-values:gender$/, '0, 1, 2; not -1, 3, 9, 100'],
  ['block love unlove cloneType', /^repeat$/, 'refused with 409'],
  ['unblock deleteItem', /^repeat$/, 'refused with 404'],
  ['*', /^unknown-(user|story|language|item)$/, 'refused with 404'],
  ['listBlocked listBlockers', /^paging$/, /^offset\/limit, first index 0/],
  ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, BULLYING, FAKE, OTHER'],
  ['*', /^languages$/, 'de, en, es, fr, ja of 16 tried'],
]);
