import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationIds } from '../../service/index.ts';
import {
  brokenBy,
  contractOfFiles,
  folderWith,
  heldAt,
  listDocument,
} from '../../testing/contract/contract-of-document.ts';
import { writeFiles } from '../../testing/own-folder.ts';
import { loadContract } from './contract-of.ts';
import { matchOperation } from './loaded-document.ts';

test('a pointer leads through another reference', () => {
  const components = { $ref: '#/x-all' };
  const all = { schemas: { All: { items: { type: 'integer' } } } };
  const document = listDocument({ $ref: '#/components/schemas/All/items' }, { components, 'x-all': all });
  assert.deepEqual(brokenBy({ 'openapi.yaml': document }, 'a'), ['the body is string, but integer is specified']);
});

test('schemas that lead back to themselves are named, however many environments load them', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = { A: { oneOf: [ref('B'), ref('C')] }, B: { allOf: [ref('A')] }, C: ref('D'), D: { items: ref('D') } };
  const path = join(
    folderWith({ 'openapi.yaml': listDocument(ref('A'), { components: { schemas } }) }),
    'openapi.yaml',
  );
  for (const environment of ['the first', 'the second'])
    assert.deepEqual(
      loadContract([path], heldAt()).circular.map((place) => place.replace(/.*#/, '')),
      ['/components/schemas/A', '/components/schemas/B'],
      environment,
    );
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
  assert.deepEqual(brokenBy({ 'openapi.yaml': text }, {}), ['/userId is missing']);
  assert.deepEqual(brokenBy({ 'openapi.yaml': text }, { userId: 'yes' }), []);
});

test('a document is read again once it has changed', () => {
  const folder = folderWith({ 'openapi.yaml': listDocument({ type: 'array' }) });
  const breaches = () => {
    const { operations } = loadContract([join(folder, 'openapi.yaml')], heldAt());
    return operations.get('listBlocked')?.responses.get('200')?.content?.get('application/json')?.([]);
  };
  assert.deepEqual(breaches(), []);
  writeFiles(folder, { 'openapi.yaml': listDocument({ type: 'object' }) });
  assert.equal(breaches()?.length, 1);
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
  // Adds 1 for `readProfile` (FRIEND_PROFILE_REQUEST): it is unmatched, too, but isn't in `operationIds`.
  assert.equal(unmatched.length, operationIds.length + 1 - operations.size);
  assert.ok(unmatched.includes('block (POST /v1/friends/block)'));
});

/** Values of `servers` with which the operations are found. `refused-documents.test.ts` has a document without any of the operations. */
const servers: [name: string, servers: unknown, prefix: string][] = [
  ['the version in the server', [{ url: 'https://api.example.org/v1/' }], '/'],
  ['a relative server', [{ url: '/v1' }], '/'],
  [
    'a variable with a default',
    [{ url: '{base}/{version}', variables: { base: { default: 'https://a.example' }, version: { default: 'v1' } } }],
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

type Row = [name: string, listed: string[], prefix: string, match: string | undefined, bases?: string[]];

const LIST = '/v1/friends/block/{n1}/{n2}';

/** Each row: the paths in a document, the prefix of the environment's address, and the one of these paths that must match a GET of LIST. */
const rows: Row[] = [
  ['the same path', [LIST], '', LIST],
  ['other names of parameters', ['/v1/friends/block/{offset}/{limit}'], '', '/v1/friends/block/{offset}/{limit}'],
  ['a trailing slash', [`${LIST}/`], '', `${LIST}/`],
  ['a path of the server', ['/friends/block/{a}/{b}'], '', '/friends/block/{a}/{b}', ['/v1']],
  ['a path of the server, twice', ['/block/{a}/{b}'], '', '/block/{a}/{b}', ['/v0/friends', '/v1/friends']],
  ['another version of the server', ['/friends/block/{a}/{b}'], '', undefined, ['/v2']],
  ['the prefix of the environment in the path', [`/api${LIST}`], '/api', `/api${LIST}`],
  ['the prefix of the environment in the server', [LIST], '/api', LIST, ['/api']],
  ['no prefix in the document', [LIST], '/gateway/friends', LIST],
  ['another prefix in the document', [`/friends-service${LIST}`], '/gateway', `/friends-service${LIST}`],
  ['the own prefix goes before another', [LIST, `/other${LIST}`, `/api${LIST}`], '/api', `/api${LIST}`],
  ['two other prefixes: either may be meant', [`/a${LIST}`, `/b${LIST}`], '', undefined],
  ['literals go before parameters', ['/v1/{a}/block/{b}/{c}', LIST], '', LIST],
  ['a parameter in place of a literal', ['/{version}/friends/{list}/{a}/{b}'], '', '/{version}/friends/{list}/{a}/{b}'],
  ['a literal in place of a parameter', ['/v1/friends/block/me/{n}'], '', undefined],
  ['fewer segments', ['/v1/friends/block/{n1}'], '', undefined],
  ['the version missing', ['/friends/block/{n1}/{n2}'], '', undefined],
  ['other case', ['/v1/Friends/block/{n1}/{n2}'], '', undefined],
  ['nothing', [], '', undefined],
];

for (const [name, paths, prefix, match, bases = []] of rows)
  test(name, () => {
    const listed = paths.map((path) => ({ method: 'GET', path, bases }));
    assert.equal(matchOperation({ method: 'GET', path: LIST, prefix }, listed)?.path, match);
  });

test('another method is another operation', () => {
  const listed = [{ method: 'POST', path: LIST, bases: [] }];
  assert.equal(matchOperation({ method: 'GET', path: LIST, prefix: '' }, listed), undefined);
});
