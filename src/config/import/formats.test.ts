import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import {
  exportedWithRequests,
  fromRequests,
  openapiText,
  postmanCollectionText,
  secrets,
} from '../../testing/import/exports.ts';
import { assertImported, folder, imported, loads } from '../../testing/import/importing.ts';
import { importSource, isUnfinished, parseMapping, readSource } from './index.ts';

test('a collection by Postman’s own library: addresses by path, headers, authorisation, bodies; never an id to delete', () => {
  const found = imported('qa.postman_collection.json', postmanCollectionText());
  assert.equal(found.name, 'QA service');
  assertImported(found, { ...exportedWithRequests, ...fromRequests });
  assert.deepEqual(found.ignored, [
    'host is not a recognised key',
    'theToken is not a recognised key',
    'theKey is not a recognised key',
  ]);
  loads(found);
});

test('the servers of an OpenAPI document, with their variables', () => {
  const text = openapiText();
  const addresses = Object.entries(exportedWithRequests).filter(([key]) => key.endsWith('_URL'));
  for (const [name, content] of [
    ['openapi.yaml', text],
    ['openapi.json', JSON.stringify(parse(text))],
  ] as const) {
    const found = imported(name, content);
    assertImported(found, Object.fromEntries(addresses), {});
    assert.ok(
      found.ignored.includes('the server https://api.production.test/friends: the first one of its list was taken'),
    );
    assert.ok(found.ignored.some((line) => line.startsWith('1 operation without an absolute server')));
  }
});

test('the .env of an application, with other names', () => {
  const text = `# service\nexport FRIENDS_URL="https://api.qa.test/friends"\nSTORIES_BASE_URL=https://api.qa.test/stories\nSVC_TOKEN=${secrets.ACCESS_TOKEN}\nDB_PASSWORD=canary-password\nPORT=3000\n`;
  const found = imported('.env', text, parseMapping(['SVC_TOKEN=ACCESS_TOKEN']));
  assertImported(
    found,
    { FRIEND_URL: 'https://api.qa.test/friends', STORY_URL: 'https://api.qa.test/stories' },
    { ACCESS_TOKEN: secrets.ACCESS_TOKEN },
  );
  assert.deepEqual(found.ignored, ['DB_PASSWORD is not a recognised key', 'PORT is not a recognised key']);
});

const evaluated = {
  FEATURES_URL: 'https://api.qa.test/features',
  CLIENT_ID: 'client-qa',
  USER_ID: "o'brien",
  FLAG_KEY: 'new "home"',
};
const url = 'https://api.qa.test/features/v1/apikey/feature?trace=1';
const data = '{"key":"new \\"home\\"","default":"false","contextData":{}}';
const posix = `curl '${url}' \\
  -H 'accept: */*' \\
  -H 'mm-client-id: client-qa' \\
  -H 'mm-user-id: o'\\''brien' \\
  -H 'mm-api-key: ${secrets.API_KEY}' \\
  -b 'session=canary-cookie' \\
  --data-raw '${data}' --compressed`;
const commands: [name: string, text: string][] = [
  ['Chrome, for bash', posix],
  ['a prompt before it', `$ ${posix}\n`],
  [
    'Firefox, with ANSI-C quotes',
    `curl '${url}' -X POST -H 'mm-client-id: client-qa' -H $'mm-user-id: o\\'brien' -H 'mm-api-key: ${secrets.API_KEY}' --data-raw $'${data.replaceAll('\\', '\\\\').replaceAll('!', '\\u0021')}'`,
  ],
  [
    'double quotes and joined options',
    `curl -sSXPOST "${url}" -H"mm-client-id: client-qa" -H "mm-user-id: o'brien" -H "mm-api-key: ${secrets.API_KEY}" -d "${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}" | jq .`,
  ],
];
for (const [name, text] of commands)
  test(`a curl command: ${name}`, () => {
    assertImported(importSource(readSource(text)), evaluated, { API_KEY: secrets.API_KEY });
    assertImported(imported('copied.txt', text), evaluated, { API_KEY: secrets.API_KEY });
  });

test('a token of another scheme isn’t taken for a bearer token', () => {
  const { secrets: own } = importSource(
    readSource(`curl '${url}' -X POST -H 'Authorization: Basic canary-basic-123' -H 'mm-client-id: c'`),
  );
  assert.equal(own.size, 0);
});

const lines: [text: string, isUnfinished: boolean][] = [
  ["curl 'https://a.test'", false],
  ["curl 'https://a.test' \\", true],
  ["curl a -d '{", true],
  ["curl a -d '{\n}'", false],
  ["curl a -d $'it\\'s", true],
  ["curl a -d $'it\\'s'", false],
  ['curl a -d "say \\"no', true],
];
for (const [text, expected] of lines)
  test(`${JSON.stringify(text)} ${expected ? 'goes on in the next line' : 'is whole'}`, () =>
    assert.equal(isUnfinished(text), expected));

const hostile: [name: string, text: string | Uint8Array][] = [
  ['a picture', Uint8Array.from([137, 80, 78, 71, 0, 255, 254])],
  ['UTF-16', Buffer.from('FRIEND_URL=https://a.test\n', 'utf16le')],
  ['YAML of another kind', 'services:\n  web:\n    image: nginx\n'],
  ['broken JSON', '{"values": ['],
  ['a list of variables that is none', '{"values": {"a": 1}}'],
  ['prose', 'not an environment at all'],
  ['nothing', ''],
  ['curl for cmd.exe', 'curl ^"https://a.test/v1/friends/block^" ^\r\n  -X ^"POST^"'],
  ['Swagger 2', '{"swagger":"2.0","host":"a.test","paths":{}}'],
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

test('the paths of an OpenAPI document are read in linear time', () => {
  const path = (index: number) => `/v1/p${index}: {get: {operationId: o${index}}}`;
  const took = [500, 500, 4_000].map((count) => {
    const paths = Array.from({ length: count }, (_, index) => path(index)).join(', ');
    writeFileSync(join(folder, 'many.yaml'), `openapi: 3.1.0\nservers: [{url: https://a.test}]\npaths: {${paths}}\n`);
    const start = process.cpuUsage();
    assert.throws(() => importSource(readSource(join(folder, 'many.yaml'))), /Nothing in .* can be taken/);
    return process.cpuUsage(start).user;
  });
  const [, few = 0, many = 0] = took;
  assert.ok(many < 16 * few, `8 times the paths took ${(many / few).toFixed(0)} times as long`);
});

const mappings: [words: string[], problem: RegExp][] = [
  [['base'], /base has no =/],
  [['base=FRIENDS'], /FRIENDS is not a key.*expected theirs=OURS/],
];
for (const [words, problem] of mappings)
  test(`--map ${words.join(' ')} is a mistake`, () => assert.throws(() => parseMapping(words), problem));
