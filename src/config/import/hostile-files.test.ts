import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { exported, exportedWithRequests } from '../../testing/import/exports.ts';
import { canaries } from '../../testing/test-environment.ts';
import { loadEnvironment } from '../load.ts';
import { writeEnvironment } from '../write-environment.ts';
import type { Imported } from './import-variables.ts';
import { importFrom, type Mapping, parseMapping } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-formats-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function _imported(name: string, text: string, mapping?: Mapping): Imported {
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
function _assertImported(found: Imported, values: object, own: Readonly<Record<string, string>> = secrets): void {
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

const hostile: [name: string, text: string | Uint8Array][] = [
  ['a picture', Uint8Array.from([137, 80, 78, 71, 0, 255, 254])],
  ['UTF-16', Buffer.from('FRIEND_URL=https://a.test\n', 'utf16le')],
  ['YAML of another kind', 'services:\n  web:\n    image: nginx\n'],
  ['JSON of another kind', '{"name":"x","dependencies":{}}'],
  [
    'a bomb of YAML aliases',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`).join('\n')}\nopenapi: 3.1.0\n`,
  ],
  ['deep JSON', `{"info":{},"item":${'[{"item":'.repeat(50_000)}[]${'}]'.repeat(50_000)}}`],
  ['deep YAML', `openapi: 3.1.0\npaths: ${'['.repeat(20_000)}`],
  [
    'keys of an object’s machinery',
    '{"__proto__":{"values":[]},"values":[{"key":"__proto__","value":"x"},{"key":"constructor","value":"y"}]}',
  ],
  ['a Postman collection of version 1', '{"id":"1","name":"x","order":[],"requests":[]}'],
  ['a curl command without an address', 'curl -H "a: b"'],
  ['quotes that never end', `curl 'https://a.test/${'x'.repeat(1_000)}`],
  ['a folder’s worth of nothing', ' '.repeat(1_000_000)],
];
for (const [name, content] of hostile)
  test(`${name} ends in one line, and never in an environment`, () => {
    writeFileSync(join(folder, 'hostile'), content);
    assert.throws(
      () => importFrom(join(folder, 'hostile')),
      (error: Error) => {
        assert.equal(error.name, 'ConfigurationError', String(error.stack));
        assert.match(error.message, /^[^\n]{10,1500}$/);
        return true;
      },
    );
  });

test('a folder that isn’t a collection, and one whose files aren’t Bruno’s', () => {
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  assert.throws(() => importFrom(plain), /is a folder, but not that of a Bruno collection: it has no bruno\.json/);
  writeFileSync(join(plain, 'opencollection.yml'), 'opencollection: 1.0.0\n');
  assert.throws(() => importFrom(plain), /is a Bruno collection in YAML, which can't be read\. Export it/);
  writeFileSync(join(plain, 'bruno.json'), '{}');
  writeFileSync(join(plain, 'x.bru'), '}{');
  assert.throws(() => importFrom(plain), /^ConfigurationError: Nothing in .*plain .* can be taken/);
});

const mappings: [words: string[], problem: RegExp][] = [
  [['base'], /base has no =/],
  [['base=FRIENDS'], /FRIENDS is not a key.*expected theirs=OURS/],
];
for (const [words, problem] of mappings)
  test(`--map ${words.join(' ')} is a mistake`, () => assert.throws(() => parseMapping(words), problem));
