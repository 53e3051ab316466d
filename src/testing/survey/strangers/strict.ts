import {
  anyBody,
  Blocks,
  type Body,
  breaches,
  house,
  included,
  type Row,
  type Schema,
  Stopped,
  usersOf,
  window,
} from './house.ts';
import type { Incoming, Outgoing } from './serve.ts';
import type { Stranger } from './stranger.ts';

// Validates all input against a table of constraints, rejects with problem+json, and knows who and what exists.

const schemas: Partial<Record<Row, Schema>> = {
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

const USERS: Readonly<Record<string, string>> = { 'eyJ.mila': 'mila', 'eyJ.noah': 'noah' };
const STORIES = ['the-lake', 'the-hill'];
const CODES = ['SEXUALLY_INAPPROPRIATE', 'BULLYING', 'FAKE', 'OTHER'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'];
const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];

function enter({ headers, path }: Incoming): void {
  const isOfKey = path.includes('/apikey/');
  const [isClone, isFlag] = [path.endsWith('/clone'), path.endsWith('/feature')];
  const needed = ['mm-client-id', ...(isClone ? [] : ['mm-user-id']), ...(isFlag ? APP : [])];
  const user = USERS[/^bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''];
  if (isOfKey ? !headers['mm-api-key'] : !headers['authorization']) throw new Stopped(401, 'Unauthenticated');
  const absent = needed.filter((header) => !headers[header]);
  if (absent.length > 0) throw new Stopped(400, `Missing header: ${absent}`);
  if (!isOfKey && !user) throw new Stopped(401, 'Unauthenticated');
  const isTheirs = isOfKey ? headers['mm-api-key'] === 'sk_live_1' : user === headers['mm-user-id'];
  if (!isTheirs || headers['mm-client-id'] !== 'studio') throw new Stopped(403, 'Not yours');
}

function body(incoming: Incoming, row: Row): Body {
  if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? '')) throw new Stopped(415, 'JSON only');
  const given = anyBody(incoming);
  const schema = schemas[row] ?? {};
  const odd = Object.keys(given).filter((field) => !Object.hasOwn(schema, field));
  const wrong = [...odd, ...breaches(given, schema)];
  if (wrong.length > 0 || ![undefined, 0, 1, 2].includes(given['gender'] as number | undefined))
    throw new Stopped(400, `Invalid: ${wrong}`);
  return given;
}

/** The problem, and the fields that it is in. */
function refused(status: number, what: string): Outgoing {
  const [title, fields] = what.split(': ');
  const errors = fields === undefined ? {} : { errors: fields.split(',') };
  const problem = { type: `https://problems.example/${status}`, title, status, ...errors };
  return { status, type: 'application/problem+json', body: JSON.stringify(problem) };
}

const none: Outgoing = { status: 204 };

const make = () => {
  const known = Object.values(USERS);
  const blocks = new Blocks();
  const [loves, avatars, versions] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const cards = new Map<string, Body>();
  const files = new Set(['doc-a', 'doc-b', 'doc-c']);
  const listed = (all: readonly string[], [skip, take]: readonly string[]) => ({
    status: 200,
    body: { users: window(all.toReversed(), skip, Math.min(Number(take), 30)).map((id) => ({ id })) },
  });
  const need = (isRight: boolean, status: number, what: string) => {
    if (!isRight) throw new Stopped(status, what);
  };
  const story = (storyId: unknown) => {
    need(STORIES.includes(String(storyId)), 404, 'No such story');
    return String(storyId);
  };
  return house({
    show: 'GET /v1/profile/*/card',
    enter,
    body,
    refused,
    actions: {
      block: (me, { friendId }) => {
        need(known.includes(String(friendId)), 404, 'No such user');
        need(blocks.add(me, String(friendId)), 409, 'Blocked already');
        return { status: 201, body: { blocked: friendId } };
      },
      unblock: (me, { friendId }) => {
        need(blocks.remove(me, String(friendId)), 404, 'Not blocked');
        return none;
      },
      blocked: (me, _, parts) => listed(blocks.of(me), parts),
      blockers: (me, _, parts) => listed(blocks.against(me), parts),
      love: (me, { storyId }) => {
        const love = me + story(storyId);
        need(!loves.has(love), 409, 'Loved already');
        loves.add(love);
        return none;
      },
      unlove: (me, { storyId }) => {
        need(loves.delete(me + story(storyId)), 409, 'Not loved');
        return none;
      },
      options: (_, __, [language = '']) => {
        need(LANGUAGES.includes(language), 404, 'No such language');
        return { status: 200, body: CODES.map((code) => ({ code, title: `${language}:${code.toLowerCase()}` })) };
      },
      report: (_, { storyId, reports }) => {
        story(storyId);
        need(
          (reports as string[]).every((code) => CODES.includes(code)),
          400,
          'Invalid: reports',
        );
        return { status: 202 };
      },
      clone: (_, { FromClientId, TypeName, TypeVersion: version }) => {
        need(FromClientId === 'template-house' && TypeName === 'frame', 404, 'No such type');
        need(!versions.has(String(version)), 409, 'Version exists');
        versions.add(String(version));
        return { status: 201, body: { version } };
      },
      avatar: (owner) => {
        const isNew = !avatars.has(owner);
        avatars.add(owner);
        return { status: isNew ? 201 : 200, body: { owner } };
      },
      profile: (me, fields) => {
        cards.set(me, { ...cards.get(me), ...included(fields) });
        return none;
      },
      show: (_, __, [id = '']) => {
        need(known.includes(id), 404, 'No such user');
        return { status: 200, body: { id, ...cards.get(id) } };
      },
      feature: (_, { key, default: fallback }) => ({ status: 200, body: { result: key === 'night' ? 'B' : fallback } }),
      item: (_, __, [id = '']) => {
        need(files.delete(id), 404, 'No such item');
        return none;
      },
    },
  });
};

export const strict: Stranger = {
  make,
  keys: {
    CLIENT_ID: 'studio',
    ...usersOf(USERS),
    API_KEY: 'sk_live_1',
    BLOCK_LIST_SEGMENTS: '0/30',
    STORY_ID: 'the-lake',
    OTHER_STORY_ID: 'the-hill',
    FLAG_KEY: 'night',
    FROM_CLIENT_ID: 'template-house',
    TYPE_NAME: 'frame',
    TYPE_VERSION: '1',
    STORED_ITEM_IDS: 'doc-a,doc-b,doc-c',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}/card',
  },
  truth: [
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
    ['block love cloneType', /^repeat$/, 'refused with 409'],
    ['unblock deleteItem', /^repeat$/, 'refused with 404'],
    ['unlove', /^repeat$/, 'refused with 409'],
    ['*', /^unknown-(user|story|language|item)$/, 'refused with 404'],
    ['listBlocked listBlockers', /^paging$/, /^offset\/limit, first index 0/],
    ['*', /^report-codes$/, 'SEXUALLY_INAPPROPRIATE, BULLYING, FAKE, OTHER'],
    ['*', /^languages$/, 'de, en, es, fr, ja of 16 tried'],
    ['*', /^own-request$/, 'GET /v1/profile/{userId}/card'],
  ],
};
