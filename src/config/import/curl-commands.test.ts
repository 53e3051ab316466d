import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { exported, exportedWithRequests } from '../../testing/import/exports.ts';
import { canaries } from '../../testing/test-environment.ts';
import { loadEnvironment } from '../load.ts';
import { writeEnvironment } from '../write-environment.ts';
import type { Imported } from './import-variables.ts';
import { importFrom, isUnfinished, type Mapping } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-formats-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function imported(name: string, text: string, mapping?: Mapping): Imported {
  writeFileSync(join(folder, name), text);
  return importFrom(join(folder, name), mapping);
}

const secrets = { ACCESS_TOKEN: canaries.ACCESS_TOKEN, API_KEY: canaries.API_KEY };
/** What requests show beside addresses and headers. */
const _fromRequests = {
  BLOCK_LIST_SEGMENTS: '0/50',
  REPORT_LANGUAGE: 'de',
  FRIEND_USER_ID: 'user-friend',
  STORY_ID: 'story-qa',
  FROM_CLIENT_ID: 'client-from',
  TYPE_NAME: 'badge',
  TYPE_VERSION: '1.0',
  FLAG_KEY: 'flag-qa',
};

const sorted = (values: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

/** No secret outside the secrets, and the whole is an environment that loads. */
function assertImported(found: Imported, values: object, own: Readonly<Record<string, string>> = secrets): void {
  assert.deepEqual(sorted(found.values), sorted(Object.entries(values)));
  assert.deepEqual(sorted(found.secrets), own);
  assert.doesNotMatch(JSON.stringify([...found.values, ...found.ignored]), /canary/);
}

function _loads({ values, secrets: own }: Imported): void {
  // The address of an area that has no operation yet is in no request.
  const all = new Map([...Object.entries(exported).filter(([key]) => !(key in exportedWithRequests)), ...values]);
  writeEnvironment('made', { values: all, secrets: own }, { origin: 'Imported.', force: true, folder });
  loadEnvironment('made', { folder, processEnvironment: {} });
  assert.doesNotMatch(readFileSync(join(folder, 'made.env'), 'utf8'), /canary/);
}

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
const windowsData = data.replaceAll('\\"', '\\\\\\"').replaceAll(/(?<!\\)"/g, '\\"');
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
  [
    'Chrome, for cmd.exe',
    `curl "${url}" ^\r\n  -H "accept: */*" ^\r\n  -H "mm-client-id: client-qa" ^\r\n  -H "mm-user-id: o'brien" ^\r\n  -H "mm-api-key: ${secrets.API_KEY}" ^\r\n  --data-raw "${windowsData}" ^\r\n  --compressed`,
  ],
  [
    'newer Chrome, for cmd.exe',
    `curl ^"${url}^" ^\r\n  -H ^"mm-client-id: client-qa^" ^\r\n  -H ^"mm-user-id: o'brien^" ^\r\n  -H ^"mm-api-key: ${secrets.API_KEY}^" ^\r\n  --data-raw ^"${windowsData.replaceAll('"', '^"').replaceAll('{', '^{').replaceAll('}', '^}')}^"`,
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
  ['curl ^"https://a.test^" ^', true],
  ['curl ^"https://a.test^"', false],
  ["curl a -d '{", true],
  ["curl a -d '{\n}'", false],
  ["curl a -d $'it\\'s", true],
  ["curl a -d $'it\\'s'", false],
  ['curl a -d "say \\"no', true],
];
for (const [text, expected] of lines)
  test(`${JSON.stringify(text)} ${expected ? 'goes on in the next line' : 'is whole'}`, () =>
    assert.equal(isUnfinished(text), expected));
