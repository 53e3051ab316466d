import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerSets, headers, operation, operationIds, pathParameters } from './index.ts';

/** The rows of part 4 of the specification: number, method, path, and the header set of part 5. */
const rows = [
  '1 POST /v1/friends/block user',
  '2 GET /v1/friends/block/{n1}/{n2} user',
  '3 GET /v1/friends/block/me/{n1}/{n2} user',
  '4 POST /v1/friends/unblock user',
  '5 POST /v1/stories/love user',
  '6 POST /v1/stories/unlove user',
  '7 GET /v1/reports/opt/{language} user',
  '8 POST /v1/stories/report user',
  '9 POST /v1/apikey/type/clone apiKey',
  '10 POST /v1/avatar user',
  '11 PUT /v1/profile user',
  '12 PUT /v1/profile user',
  '13 POST /v1/apikey/feature flag',
  '14 DELETE /v1/features/story/{id} user',
];

test('the catalogue says what part 4 says; what goes beyond it stands behind', () => {
  const said = operationIds
    .map(operation)
    .map(({ row, method, path, headerSet }) => `${row} ${method} ${path} ${headerSet}`);
  assert.deepEqual(said.slice(0, rows.length), rows);
});

test('the header sets say what part 5 says', () => {
  const app = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];
  assert.deepEqual(
    headerSets.user.map((name) => headers[name].name),
    ['Authorization', 'mm-client-id', 'mm-user-id'],
  );
  assert.deepEqual(headerSets.apiKey, ['mm-client-id', 'mm-api-key']);
  assert.deepEqual(headerSets.flag, ['mm-client-id', 'mm-user-id', 'mm-api-key', ...app]);
});

test('no operation has both a body and path parameters: its arguments are the one or the other', () => {
  for (const id of operationIds) {
    const { request, path } = operation(id);
    assert.ok(!(request && pathParameters(path).length > 0), id);
  }
});

test('an undo is an operation of the same area with the same request', () => {
  for (const entry of operationIds.map(operation)) {
    if (!entry.undo) continue;
    const undo = operation(entry.undo as (typeof operationIds)[number]);
    assert.deepEqual([undo.area, undo.request, undo.effect], [entry.area, entry.request, 'reversible']);
  }
});
