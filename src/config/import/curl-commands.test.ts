import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertImported, imported, secrets } from '../../testing/import/importing.ts';
import { importFrom, isUnfinished } from './index.ts';

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
    assertImported(importFrom(text), evaluated, { API_KEY: secrets.API_KEY });
    assertImported(imported('copied.txt', text), evaluated, { API_KEY: secrets.API_KEY });
  });

test('a token of another scheme isn’t taken for a bearer token', () => {
  const { secrets: own } = importFrom(
    `curl '${url}' -X POST -H 'Authorization: Basic canary-basic-123' -H 'mm-client-id: c'`,
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
