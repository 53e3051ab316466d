import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchOperation } from './match-operations.ts';

type Row = [name: string, listed: string[], prefix: string, match: string | undefined, bases?: string[]];

const LIST = '/v1/friends/block/{n1}/{n2}';

/** Whether `GET /v1/friends/block/{n1}/{n2}` below a prefix is found. */
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
