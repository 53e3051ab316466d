import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, HttpResponse } from '../../http/index.ts';
import type { CallableId } from '../../service/index.ts';
import { fakeExchange, fakeResponse } from '../../testing/contract/fake-response.ts';
import { unseenChange } from './unseen-change.ts';

/** An exchange of user `by`, such as `ann blocks bob`. The response of a list contains the listed entries. */
const made = (operation: CallableId, by: string, response: HttpResponse, body?: object) => {
  const { request } = fakeExchange();
  const sent = { ...request, headers: { 'mm-user-id': by }, ...(body ? { body: JSON.stringify(body) } : {}) };
  return fakeExchange({ operation, request: sent, response });
};
const change = (operation: CallableId, by: string, friendId: string, status = 200) =>
  made(operation, by, fakeResponse(status, {}), { friendId });
const list = (operation: CallableId, by: string, ids: readonly string[], status = 200) => {
  const entries = ids.map((userId) => ({ userId, at: `2026-11-20T10:00:0${userId.length}Z` }));
  return made(operation, by, fakeResponse(status, entries));
};

/** In each row, the last exchange is the one that failed. */
const rows: Readonly<Record<string, readonly [exchanges: Exchange[], seen: string | undefined]>> = {
  'a block that its list never shows': [[change('block', 'ann', 'bob'), list('listBlocked', 'ann', [])], 'block'],
  'an unblock without effect': [
    [change('block', 'ann', 'bob'), change('unblock', 'ann', 'bob'), list('listBlocked', 'ann', ['bob'])],
    'unblock',
  ],
  'an unblock without effect, as the blocked user sees it': [
    [change('block', 'ann', 'bob'), change('unblock', 'ann', 'bob'), list('listBlockers', 'bob', ['ann'])],
    'unblock',
  ],
  'a list that shows the change, and fails for another user': [
    [change('block', 'ann', 'eve'), list('listBlocked', 'ann', ['eve', 'bob'])],
    undefined,
  ],
  'an unblock that takes away more': [
    [
      change('block', 'ann', 'bob'),
      change('block', 'ann', 'eve'),
      list('listBlocked', 'ann', ['bob', 'eve']),
      change('unblock', 'ann', 'eve'),
      list('listBlocked', 'ann', []),
    ],
    undefined,
  ],
  'a change that was refused': [[change('block', 'ann', 'bob', 404), list('listBlocked', 'ann', [])], undefined],
  'the change of somebody else': [[change('block', 'eve', 'bob'), list('listBlocked', 'ann', [])], undefined],
  'a list that fails itself': [[change('block', 'ann', 'bob'), list('listBlocked', 'ann', [], 500)], undefined],
  'another operation': [[change('block', 'ann', 'bob'), change('love', 'ann', 'x')], undefined],
  'a friend who is taken for another user': [
    [change('block', 'bob', 'ann'), list('listBlocked', 'bob', ['ann']), list('listBlockers', 'ann', ['eve'])],
    'block by bob as eve',
  ],
  'an unblock that the list of the blocked user alone does not show': [
    [
      ...[change('block', 'ann', 'bob'), change('unblock', 'ann', 'bob')],
      ...[list('listBlocked', 'ann', []), list('listBlockers', 'bob', ['ann'])],
    ],
    'unblock',
  ],
  'a list of blockers with several others says nothing of the friend': [
    [change('block', 'bob', 'ann'), list('listBlocked', 'bob', ['ann']), list('listBlockers', 'ann', ['eve', 'joe'])],
    'block',
  ],
  'a block that its maker does not see either': [
    [change('block', 'bob', 'ann'), list('listBlocked', 'bob', []), list('listBlockers', 'ann', ['eve'])],
    'block',
  ],
};

for (const [name, [exchanges, seen]] of Object.entries(rows))
  test(name, () => {
    const failing = exchanges.at(-1) as Exchange;
    const found = unseenChange(failing, exchanges, undefined);
    assert.equal(
      unseenChange(failing, exchanges.slice(0, -1), undefined),
      undefined,
      'the failing call is none of these',
    );
    const { operation, madeBy, stranger } = found ?? {};
    assert.equal(stranger ? `${operation} by ${madeBy} as ${stranger}` : operation, seen);
  });
