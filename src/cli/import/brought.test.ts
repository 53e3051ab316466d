import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Files, ownFolder, writeFiles } from '../../testing/own-folder.ts';
import { importAll } from './index.ts';

/** Files in the formats of other tools. The import must take every value in them, or report that it leaves the value out. */
interface Row {
  readonly name: string;
  /** The files, in the order of the import. */
  readonly files: Files;
  /** Values and secrets that the import must take; it may take others, too. */
  readonly takes?: Readonly<Record<string, string>>;
  /** Keys that the import must not take. */
  readonly without?: readonly string[];
  readonly leavesOut?: readonly RegExp[];
}

const TOKEN = 'tok-ann-0123456789';
const bearer = `-H 'authorization: Bearer ${TOKEN}'`;
const at = (area: string) => `https://${area}.qa.example.com`;
const block = `'${at('friends')}/v1/friends/block' -H 'mm-user-id: ann' ${bearer} -d '{"friendId":"bob"}'`;
const love = `'${at('stories')}/v1/stories/love' -d '{"storyId":"story-1"}'`;

const collection = (more: object, ...requests: object[]) => ({
  'c.json': {
    info: { name: 'Svc' },
    ...more,
    item: requests.map((request, index) => ({ name: `r${index}`, request })),
  },
});
const post = (area: string, path: string, raw: string, more: object = {}) => ({
  method: 'POST',
  url: `${at(area)}${path}`,
  body: { mode: 'raw', raw },
  ...more,
});
const blocking = (raw: string, more: object = {}) => post('friends', '/v1/friends/block', raw, more);
const environment = (values: readonly (readonly [key: string, value: string])[]) => ({
  name: 'qa',
  values: values.map(([key, value]) => ({ key, value, enabled: true })),
});

const rows: Row[] = [
  {
    name: 'several curl commands, as a browser copies them all',
    files: {
      'a.sh': `curl ${block} ;\ncurl ${love} ;\ncurl '${at('profile')}/v1/profile' -X PUT --data-raw '{"name":"x"}'`,
    },
    takes: {
      FRIEND_URL: at('friends'),
      STORY_URL: at('stories'),
      PROFILE_URL: at('profile'),
      ACCESS_TOKEN: TOKEN,
      STORY_ID: 'story-1',
    },
  },
  {
    name: 'a script of curl commands with comments, variables and other commands',
    files: {
      'a.sh': `#!/bin/sh\nset -e\n# the user's list\nexport HOST=${at('friends')}\nTOKEN='${TOKEN}'\nlogin ann && curl -s "$HOST/v1/friends/block/0/50" -H "Authorization: Bearer \${TOKEN}" 2>&1 | jq .\ncurl ${love} > out.json\n`,
    },
    takes: { FRIEND_URL: at('friends'), BLOCK_LIST_SEGMENTS: '0/50', ACCESS_TOKEN: TOKEN, STORY_URL: at('stories') },
    leavesOut: [/^other commands: line 2, line 6$/],
  },
  {
    name: 'here-documents, whose text is no command; what is not understood is named by its line',
    files: {
      'a.sh': `curl ${at('login')}/login -d @- <<JSON && cat <<-'E F' 2>&1\n{"user":"ann","password":"canary-1"}\nJSON\n\tcanary-2\n\tE F\nlogin --password canary-3 <<< "canary 4"\ncanary-5 "\n"\ncanary-6\ncurl ${love}\ncat <<X\ncurl canary-7`,
    },
    takes: { STORY_URL: at('stories') },
    leavesOut: [
      /^other commands: line 1, line 6, line 7, line 9, line 11$/,
      /^requests for none of the operations: line 1$/,
    ],
  },
  {
    name: 'one curl command with several addresses, and --next',
    files: {
      'a.sh': `curl '${at('friends')}/v1/friends/block/0/50' '${at('stories')}/v1/reports/opt/de' --next ${love}`,
    },
    takes: { FRIEND_URL: at('friends'), REPORT_LANGUAGE: 'de', STORY_ID: 'story-1' },
  },
  {
    name: 'a shell’s variables in a curl command',
    files: {
      'a.sh': `curl "${at('friends')}/v1/friends/block/0/100" -H "Authorization: Bearer $TOKEN" -H "mm-user-id: $(whoami)"`,
    },
    takes: { FRIEND_URL: at('friends') },
    without: ['ACCESS_TOKEN', 'USER_ID'],
    leavesOut: [/^ACCESS_TOKEN comes from \{\{TOKEN\}\}/, /^USER_ID comes from \{\{\$\(…\)\}\}/],
  },
  {
    name: 'the same with a file that has them',
    files: {
      'a.sh': `curl "$HOST/v1/friends/block/0/100" -H "Authorization: Bearer $TOKEN"`,
      'b.env': `HOST=${at('friends')}\nTOKEN=${TOKEN}\n`,
    },
    takes: { FRIEND_URL: at('friends'), ACCESS_TOKEN: TOKEN },
  },
  {
    name: 'what else a curl command sends',
    files: { 'a.sh': `curl ${block.replace(/-d .*/, '-d @body.json')} -b 'sid=1' -u me:canary-pass --get-x` },
    leavesOut: [/^options of curl: --user, --cookie$/, /^bodies that are not JSON: POST \/v1\/friends\/block$/],
  },
  {
    name: 'a query, and a token of another scheme',
    files: {
      'a.sh': `curl '${at('friends')}/v1/friends/block/0/100?trace=canary' -H 'Authorization: Basic canary' -H 'mm-user-id: ann' -H canary`,
    },
    without: ['ACCESS_TOKEN'],
    leavesOut: [
      /^query parameters: trace$/,
      /^headers of another scheme than bearer: authorization$/,
      /^headers without a name: line 1$/,
    ],
  },
  {
    name: 'Postman: OAuth 2.0, headers as one text, a body with a comment',
    files: collection(
      {
        auth: {
          type: 'oauth2',
          oauth2: [
            { key: 'accessToken', value: TOKEN },
            { key: 'accessTokenUrl', value: 'https://login.example.com/token' },
          ],
        },
      },
      post('features', '/v1/apikey/feature', '{"key":"flag-1"}', {
        header: 'mm-api-key: key-client-a-0123\nmm-client-id: client-a\n',
      }),
      blocking('{\n  // who\n  "friendId": "bob"\n}'),
    ),
    takes: {
      ACCESS_TOKEN: TOKEN,
      API_KEY: 'key-client-a-0123',
      CLIENT_ID: 'client-a',
      FLAG_KEY: 'flag-1',
      FRIEND_USER_ID: 'bob',
    },
    leavesOut: [/^settings of OAuth 2\.0.*: accessTokenUrl$/],
  },
  {
    name: 'Postman: OAuth 2.0 as version 2.0 has it, a header that is switched off, a comment of several lines',
    files: collection(
      { auth: { type: 'oauth2', oauth2: { accessToken: TOKEN, clientId: 'x' } } },
      blocking('{ /* who,\n "friendId": "carl" */ "friendId": "bob" // "not this"\n}', {
        header: '// mm-client-id: old\nmm-user-id: ann',
      }),
    ),
    takes: { ACCESS_TOKEN: TOKEN, USER_ID: 'ann', FRIEND_USER_ID: 'bob' },
    without: ['CLIENT_ID'],
    leavesOut: [/^settings of OAuth 2\.0.*: clientId$/, /^headers that are disabled: mm-client-id$/],
  },
  {
    name: 'Postman: other kinds of authorisation, bodies and scripts, each named',
    files: {
      'c.json': {
        info: { name: 'Svc' },
        variable: [{ key: 'user_id', value: 'ann' }],
        event: [{ listen: 'prerequest', script: { exec: ['x'] } }],
        item: [
          {
            name: 'in a folder',
            variable: [{ key: 'host', value: at('friends') }],
            item: [
              {
                name: 'a',
                request: {
                  method: 'POST',
                  url: '{{host}}/v1/friends/block',
                  auth: { type: 'basic' },
                  body: { mode: 'urlencoded' },
                },
              },
            ],
          },
        ],
      },
    },
    takes: { FRIEND_URL: at('friends'), USER_ID: 'ann' },
    leavesOut: [
      /^scripts, which are not run: /,
      /^variables that apply only in their own folder or request: host$/,
      /^authorisation of a kind that the specification does not have: basic$/,
      /^bodies of another kind than JSON: urlencoded$/,
    ],
  },
  {
    name: 'Postman: a body with a variable that no file has',
    files: collection({}, blocking('{"friendId":"{{friend}}"}')),
    without: ['FRIEND_USER_ID'],
    leavesOut: [/^test data from variables that no given file defines: FRIEND_USER_ID: \{\{friend\}\}$/],
  },
  {
    name: 'Postman: of two variables of one name the last counts',
    files: {
      'e.json': environment([
        ['user_id', 'old'],
        ['user_id', 'ann'],
      ]),
    },
    takes: { USER_ID: 'ann' },
    leavesOut: [/^user_id appears again below, and the last one counts$/],
  },
  {
    name: 'Postman: the last that is enabled',
    files: {
      'e.json': {
        values: [
          { key: 'user_id', value: 'ann' },
          { key: 'user_id', value: 'off', enabled: false },
        ],
      },
    },
    takes: { USER_ID: 'ann' },
    leavesOut: [/^user_id is disabled in the export$/],
  },
  {
    name: 'Postman: an environment counts before the collection',
    files: {
      'c.json': {
        variable: [
          { key: 'host', value: at('old') },
          { key: 'client_id', value: 'of-c' },
        ],
        item: [{ request: blocking('{}', { url: '{{host}}/v1/friends/block' }) }],
      },
      'e.json': environment([
        ['host', at('friends')],
        ['client_id', 'of-e'],
      ]),
    },
    takes: { FRIEND_URL: at('friends'), CLIENT_ID: 'of-e' },
    leavesOut: [/^client_id of .*c\.json: CLIENT_ID was taken from client_id of .*e\.json$/],
  },
  {
    name: 'Postman: what its API answers with',
    files: {
      'c.json': { collection: { info: { name: 'Svc' }, item: [{ request: blocking('{"friendId":"bob"}') }] } },
      'e.json': { environment: environment([['user_id', 'ann']]) },
    },
    takes: { FRIEND_USER_ID: 'bob', USER_ID: 'ann' },
  },
  {
    name: '.env: variables that an application puts into others',
    files: { 'a.env': `BASE=${at('friends')}\nFRIEND_URL=\${BASE}/api\nSTORY_URL=\${NOWHERE}/api\n` },
    takes: { FRIEND_URL: `${at('friends')}/api` },
    leavesOut: [/^STORY_URL comes from \{\{NOWHERE\}\}/],
  },
  {
    name: '.env: a value that is cut at #, and one that is a comment',
    files: { 'a.env': `USER_ID=ann\nACCESS_TOKEN=tok-ann-0#123456789\nCLIENT_ID=c # a client\n` },
    takes: { USER_ID: 'ann', CLIENT_ID: 'c' },
    without: ['ACCESS_TOKEN'],
    leavesOut: [/^line 2, ACCESS_TOKEN: .*#/],
  },
  {
    name: 'placeholders and masks',
    files: {
      'e.json': environment([
        ['user_id', 'ann'],
        ['client_id', '$CLIENT_ID'],
        ['Authorization', 'Bearer [MASKED]'],
        ['app_env', 'undefined'],
      ]),
    },
    takes: { USER_ID: 'ann' },
    without: ['CLIENT_ID', 'ACCESS_TOKEN', 'APP_ENV'],
    leavesOut: [/^client_id is still a placeholder$/, /^Authorization is still a placeholder$/],
  },
  {
    name: 'variables and defaults of a .env, as Compose reads them',
    files: {
      'a.env': `HOST=qa.test\nFRIEND_URL=https://$HOST/f\nSTORY_URL=https://\${NONE:-s.test}\nPROFILE_URL=https://\${HOST:-none.test}/p\nGAMEDESIGN_URL=https://\${NONE-\${HOST}}/g\nSTORAGE_URL=https://$NOWHERE/x\nFEATURES_URL=https://\${OTHER:-none.test}\nACCESS_TOKEN=tok-$ann-0123456789\n`,
      'b.env': 'OTHER=x.test\n',
    },
    takes: {
      FRIEND_URL: 'https://qa.test/f',
      STORY_URL: 'https://s.test',
      PROFILE_URL: 'https://qa.test/p',
      GAMEDESIGN_URL: 'https://qa.test/g',
      FEATURES_URL: 'https://x.test',
      ACCESS_TOKEN: 'tok-$ann-0123456789',
    },
    without: ['STORAGE_URL'],
    leavesOut: [/^STORAGE_URL comes from \{\{NOWHERE\}\}, which no given file defines/],
  },
  {
    name: 'a profile that is read by a parameter',
    files: collection(
      {},
      { method: 'GET', url: `${at('profile')}/v1/profile/{{id}}` },
      { method: 'GET', url: `${at('profile')}/v1/profile/settings` },
    ),
    takes: { FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}', PROFILE_URL: at('profile') },
    leavesOut: [/^requests for none of the operations: GET \/v1\/profile\/settings$/],
  },
  {
    name: 'the same in an OpenAPI document',
    files: {
      'a.json': { openapi: '3.1.0', servers: [{ url: at('profile') }], paths: { '/v1/profile/{id}': { get: {} } } },
    },
    takes: { FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}', PROFILE_URL: at('profile') },
  },
];

const own = ownFolder();
for (const [index, { name, files, takes = {}, without = [], leavesOut = [] }] of rows.entries())
  test(name, () => {
    const here = join(own, `${index}`);
    mkdirSync(here);
    writeFiles(here, files);
    const { values, secrets, ignored } = importAll(Object.keys(files).map((source) => join(here, source)));
    const taken = Object.fromEntries([...values, ...secrets]);
    assert.partialDeepStrictEqual(taken, takes, ignored.join('\n'));
    for (const key of without) assert.ok(!(key in taken), `${key}=${taken[key]}`);
    for (const line of leavesOut)
      assert.ok(
        ignored.some((each) => line.test(each)),
        `${line} in ${ignored.join('\n')}`,
      );
    assert.doesNotMatch(ignored.join('\n'), /canary|0123456789/);
  });
