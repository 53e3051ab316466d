import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadEnvironment } from '../../environment/load.ts';
import { writeEnvironment } from '../../environment/write-environment.ts';
import {
  curlCommands,
  exported,
  exportedWithRequests,
  fromRequests,
  openapiDocument,
  openapiYaml,
  postmanCollection,
  postmanEnvironment,
  secrets,
} from '../../testing/import/exports.ts';
import { type Files, ownFolder, writeFiles } from '../../testing/own-folder.ts';
import type { Imported } from './import-variables.ts';
import { importSource, parseMapping, readSource } from './index.ts';

const folder = ownFolder();

const sorted = (values: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Asserts that exactly these values were imported, and that neither they nor the messages contain a secret. */
function assertImported(found: Imported, values: object, secrets: Readonly<Record<string, string>>): void {
  assert.deepEqual(sorted(found.values), sorted(Object.entries(values)));
  assert.deepEqual(sorted(found.secrets), secrets);
  assert.doesNotMatch(JSON.stringify([...found.values, ...found.ignored]), /canary/);
}

/** Asserts that the imported values make an environment that loads, and that its file contains no secret. */
function loads({ values, secrets: own }: Imported): void {
  // No request in the files goes to the areas that have no operations. So the files give no address for them: take it from `exported`.
  const all = new Map([...Object.entries(exported).filter(([key]) => !(key in exportedWithRequests)), ...values]);
  writeEnvironment('made', { values: all, secrets: own }, { origin: 'Imported.', force: true, folder });
  loadEnvironment('made', { folder, processEnvironment: {} });
  assert.doesNotMatch(readFileSync(join(folder, 'made.env'), 'utf8'), /canary/);
}

const { ACCESS_TOKEN, API_KEY } = secrets;
const isUnknown = (key: string) => `${key} is not a recognised key`;
const withRequests = { ...exportedWithRequests, ...fromRequests };
const addresses = Object.fromEntries(Object.entries(exportedWithRequests).filter(([key]) => key.endsWith('_URL')));
const otherServers = Object.values(addresses).map(
  (url) => `the server ${url.replace('qa', 'production')}: the first one of its list was taken`,
);
const ofDocument = ['1 operation without an absolute server: the document has no host for them', ...otherServers];
const FEATURES_URL = 'https://api.qa.test/features';
const evaluated = { FEATURES_URL, CLIENT_ID: 'client-qa', USER_ID: "o'brien", FLAG_KEY: 'new "home"' };
const dotenv = `# service\nexport FRIENDS_URL="https://api.qa.test/friends"\nSTORIES_BASE_URL=https://api.qa.test/stories\nSVC_TOKEN=${ACCESS_TOKEN}\nDB_PASSWORD=canary-password\nPORT=3000\n`;

/** Keys in spellings that other tools use. The import must recognise these keys. */
const spelled: Record<string, string> = {
  FRIEND_URL: 'friend_url',
  STORY_URL: 'storyUrl',
  GAMEDESIGN_URL: 'gamedesign-url',
  PROFILE_URL: 'PROFILE URL',
  CLIENT_ID: 'mm-client-id',
  USER_ID: 'mm-user-id',
  APP_BUNDLE: 'app-bundle',
};
const odd = { ...exported, USER_ID: "user o'brien #1" };
const oddEnvironment = {
  host: 'https://api.qa.test',
  ...Object.fromEntries(
    Object.entries(odd).map(([key, value]) => [
      spelled[key] ?? key.toLowerCase(),
      value.replace('https://api.qa.test', '{{host}}'),
    ]),
  ),
  Authorization: `bearer ${ACCESS_TOKEN}`,
  'mm-api-key': API_KEY,
  storyid: 'story-1',
  flag_key: '',
  type_name: { value: 'badge', enabled: false },
};

/**
 * Files of other tools, with the expected result of their import: the name, the values, the secrets, and the messages about what was left
 * out.
 */
const sources: [name: string, files: Files, values: object, secrets: Record<string, string>, ignored: string[]][] = [
  [
    'QA (Berlin)',
    { 'qa.json': postmanEnvironment(oddEnvironment, { name: 'QA (Berlin)' }) },
    odd,
    secrets,
    [
      `${isUnknown('storyid')} (did you mean STORY_ID? --map storyid=STORY_ID)`,
      'flag_key is empty',
      'type_name is disabled in the export',
    ],
  ],
  // The collection has a request that deletes an item. The import must not take the id of this item.
  ['QA service', { 'qa.postman_collection.json': postmanCollection() }, withRequests, secrets, []],
  ['QA service', { 'openapi.yaml': openapiYaml() }, addresses, {}, ofDocument],
  ['QA service', { 'openapi.json': openapiDocument() }, addresses, {}, ofDocument],
  [
    '',
    { '.env': dotenv },
    { FRIEND_URL: 'https://api.qa.test/friends', STORY_URL: 'https://api.qa.test/stories' },
    { ACCESS_TOKEN },
    ['DB_PASSWORD', 'PORT'].map(isUnknown),
  ],
];
for (const [index, [name, files, values, own, ignored]] of sources.entries()) {
  const last = Object.keys(files).at(-1) ?? '';
  test(`${last}: what is taken`, () => {
    const path = join(writeFiles(join(folder, `${index}`), files), last);
    const found = importSource(readSource(path), parseMapping(['SVC_TOKEN=ACCESS_TOKEN']));
    assert.equal(found.name ?? '', name);
    assertImported(found, values, own);
    assert.deepEqual(found.ignored, ignored);
    if (own === secrets) loads(found);
  });
}

for (const [name, command] of Object.entries(curlCommands))
  test(`a curl command: ${name}`, () => {
    writeFiles(folder, { 'copied.txt': command });
    for (const source of [command, join(folder, 'copied.txt')]) {
      const found = importSource(readSource(source));
      if (name === 'a token of another scheme') assertImported(found, { FEATURES_URL, CLIENT_ID: 'client-qa' }, {});
      else assertImported(found, evaluated, { API_KEY });
    }
  });

for (const [name, text] of [
  ['qa.bru', 'vars {\n  host: https://a.test\n}\n'],
  ['opencollection.yml', 'opencollection: 1.0.0\n'],
  ['bruno.json', '{"brunoConfig":{},"items":[]}'],
  ['folder/bruno.json', '{}'],
] as const)
  test(`${name}: a file of Bruno's own is refused, with the way that remains`, () => {
    writeFiles(folder, { [name]: text });
    const source = join(folder, name.replace(/\/.*/, ''));
    assert.throws(
      () => importSource(readSource(source)),
      /export a collection as a Postman collection, and import the `vars` of an environment as KEY=value lines/,
    );
  });

const convertible: [name: string, text: string, says: RegExp][] = [
  [
    'Swagger 2',
    '{"swagger":"2.0","host":"a.test","paths":{}}',
    /is Swagger 2\. Convert it to OpenAPI 3: npx swagger2openapi /,
  ],
  ['Swagger 2 in YAML', "swagger: '2.0'\nhost: a.test\n", /is Swagger 2\. /],
  [
    'a HAR recording',
    '{"log": {"version": "1.2", "entries": []}}',
    /is a HAR recording\. Copy its requests as cURL \(bash\)/,
  ],
  [
    'Insomnia in JSON',
    '{"_type":"export","__export_format":4,"resources":[]}',
    /is an export of Insomnia\. Copy .* as cURL/,
  ],
  ['Insomnia in YAML', 'type: collection.insomnia.rest/5.0\nname: qa\n', /is an export of Insomnia\. /],
];
for (const [name, text, says] of convertible)
  test(`${name} is refused with what makes something of it that is read`, () => {
    writeFileSync(join(folder, 'convertible'), text);
    assert.throws(() => importSource(readSource(join(folder, 'convertible'))), says);
  });

const hostile: [name: string, text: string | Uint8Array][] = [
  ['a picture', Uint8Array.from([137, 80, 78, 71, 0, 255, 254])],
  ['UTF-16', Buffer.from('FRIEND_URL=https://a.test\n', 'utf16le')],
  ['YAML of another kind', 'services:\n  web:\n    image: nginx\n'],
  ['broken JSON', '{"values": ['],
  ['a list of variables that is none', '{"values": {"a": 1}}'],
  ['prose', 'not an environment at all'],
  ['nothing', ''],
  ['curl for cmd.exe', 'curl ^"https://a.test/v1/friends/block^" ^\r\n  -X ^"POST^"'],
  ['a request for PowerShell', 'Invoke-WebRequest -Uri "https://a.test/v1/friends/block" `\n-Method "POST"'],
  ['a request for scripts', 'fetch("https://a.test/v1/friends/block", {\n  "method": "POST"\n});'],
  ['JSON of another kind', '{"name":"x","dependencies":{}}'],
  ['deep JSON', `{"info":{},"item":${'[{"item":'.repeat(50_000)}[]${'}]'.repeat(50_000)}}`],
  ['deep YAML', `openapi: 3.1.0\npaths: ${'['.repeat(20_000)}`],
  [
    'keys of an object’s machinery',
    '{"__proto__":{"values":[]},"values":[{"key":"__proto__","value":"x"},{"key":"constructor","value":"y"}]}',
  ],
  [
    'headers of an object’s machinery',
    JSON.stringify({
      item: ['__proto__', 'constructor', 'toString'].map((key) => ({
        request: { url: 'x', header: [{ key, value: 'x' }] },
      })),
    }),
  ],
  ['a repeated key of YAML', 'openapi: 3.1.0\npaths: {a: 1, a: 2}\n'],
  ['a Postman collection of version 1', '{"id":"1","name":"x","order":[],"requests":[]}'],
  ['a curl command without an address', 'curl -H "a: b"'],
  ['quotes that never end', `curl 'https://a.test/${'x'.repeat(1_000)}`],
  ['a folder’s worth of nothing', ' '.repeat(1_000_000)],
];
for (const [name, content] of hostile)
  test(`${name} ends in one line, and never in an environment`, () => {
    writeFileSync(join(folder, 'hostile'), content);
    assert.throws(
      () => importSource(readSource(join(folder, 'hostile'))),
      (error: Error) => {
        assert.equal(error.name, 'ConfigurationError', String(error.stack));
        assert.match(error.message, /^[^\n]{10,1500}$/);
        return true;
      },
    );
  });

const mappings: [words: string[], problem: RegExp][] = [
  [['base'], /base has no =/],
  [['base=FRIENDS'], /FRIENDS is not a key.*expected theirs=OURS/],
];
for (const [words, problem] of mappings)
  test(`--map ${words.join(' ')} is a mistake`, () => assert.throws(() => parseMapping(words), problem));
