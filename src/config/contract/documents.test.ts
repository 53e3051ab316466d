import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { responseBreaches } from '../../client/contract/contract-log.ts';
import { operationIds } from '../../spec/index.ts';
import {
  contractOfFiles,
  type DocumentFiles,
  folderWith,
  heldAt,
  listDocument,
} from '../../testing/contract/contract-of-document.ts';
import { fakeResponse } from '../../testing/contract/fake-response.ts';
import { spread } from '../../testing/contract/spread-document.ts';
import { loadContract } from './contract-of.ts';

/** What a 200 of `listBlocked` with `body` breaks. */
function broken(files: DocumentFiles, body: unknown): readonly string[] {
  const specified = contractOfFiles(files).operations.get('listBlocked');
  assert.ok(specified);
  return responseBreaches(fakeResponse(200, body), specified).broken;
}

test('references lead through files, relative to each, and in circles', () => {
  assert.deepEqual(broken(spread, [{ userId: 1, friend: { userId: 2 } }]), []);
  assert.deepEqual(broken(spread, [{ userId: 1, friend: {} }]), ['/*/friend/userId is missing']);
});

test('a pointer leads through another reference', () => {
  const files = {
    'openapi.yaml': listDocument({ $ref: '#/components/schemas/All/items' }, { components: { $ref: 'all.json' } }),
    'all.json': { schemas: { All: { items: { type: 'integer' } } } },
  };
  assert.deepEqual(broken(files, 'a'), ['the body is string, but integer is specified']);
});

test('YAML as people write it: numbers for statuses, anchors, merge keys, comments', () => {
  const text = `# ours
openapi: 3.1.0
x-base: &base
  type: object
  required: [userId]
paths:
  /v1/friends/block/{n1}/{n2}:
    get:
      responses:
        200:
          content:
            application/json:
              schema:
                <<: *base
                properties: { userId: { type: string } }
`;
  assert.deepEqual(broken({ 'openapi.yaml': text }, {}), ['/userId is missing']);
  assert.deepEqual(broken({ 'openapi.yaml': text }, { userId: 'yes' }), []);
});

test('a link that leads out of the folder is refused; one within is followed', () => {
  const document = listDocument({ $ref: 'linked.json' });
  const folder = folderWith({ 'api/openapi.yaml': document, 'outside.json': {} });
  symlinkSync(join(folder, 'outside.json'), join(folder, 'api', 'linked.json'));
  const load = (path: string) => loadContract([join(path, 'openapi.yaml')], heldAt());
  assert.throws(() => load(join(folder, 'api')), /leads out of the document's folder/);
  const again = folderWith({ 'openapi.yaml': document, 'inside.json': {} });
  symlinkSync('inside.json', join(again, 'linked.json'));
  assert.equal(load(again).operations.size, 1);
});

test('a document is read again once a file of it has changed', () => {
  const folder = folderWith({ 'openapi.yaml': listDocument({ $ref: 'list.json' }), 'list.json': { type: 'array' } });
  const verdict = () => {
    const specified = loadContract([join(folder, 'openapi.yaml')], heldAt()).operations.get('listBlocked');
    return specified && responseBreaches(fakeResponse(200, []), specified).broken.length;
  };
  assert.equal(verdict(), 0);
  writeFileSync(join(folder, 'list.json'), '{"type":"object"}');
  assert.equal(verdict(), 1);
});

test('of several documents the first that has an operation counts; what none has is listed', () => {
  const files = {
    'a.json': listDocument({ type: 'array' }),
    'b.json': {
      openapi: '3.0.0',
      paths: { ...listDocument({ type: 'object' }).paths, '/v1/avatar': { post: { responses: {} } } },
    },
  };
  const folder = folderWith(files);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const { operations, unmatched, documents } = loadContract(paths, heldAt());
  assert.deepEqual(
    [...operations].map(([id, { file }]) => [id, file]),
    [
      ['listBlocked', documents[0]],
      ['saveAvatar', documents[1]],
    ],
  );
  // The read of a profile is looked for, too.
  assert.equal(unmatched.length, operationIds.length + 1 - operations.size);
  assert.ok(unmatched.includes('block (POST /v1/friends/block)'));
});

/** What is not found is in refused-documents.test.ts, and which of several counts in match-operations.test.ts. */
const servers: [name: string, servers: unknown, prefix: string][] = [
  ['the version in the server', [{ url: 'https://api.example.org/v1/' }], '/'],
  ['a relative server', [{ url: '/v1' }], '/'],
  [
    'a variable with a default',
    [{ url: '{base}/{version}', variables: { base: { default: 'https://a.example' }, version: { default: 'v1' } } }],
    '/',
  ],
  [
    'a variable with other values',
    [{ url: '/{version}', variables: { version: { default: 'v0', enum: ['v0', 'v1'] } } }],
    '/',
  ],
  ['the environment’s prefix and the version', [{ url: 'https://api.example.org/social/v1' }], '/social'],
  ['an encoded prefix', [{ url: 'https://api.example.org/so%20cial/v1' }], '/so%20cial'],
];

for (const [name, given, prefix] of servers)
  test(`an operation is found below ${name}`, () => {
    const [item] = Object.values(listDocument({}).paths);
    const document = { openapi: '3.1.0', servers: given, paths: { '/friends/block/{a}/{b}': item } };
    assert.equal(contractOfFiles({ 'openapi.yaml': document }, 'openapi.yaml', heldAt(prefix)).operations.size, 1);
  });
