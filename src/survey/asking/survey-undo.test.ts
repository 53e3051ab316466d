import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Exchange, rawBody, rawText, type Session } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { PendingUndos, undoOf } from './survey-undo.ts';

const session = { caller: { userId: 'ada' } } as Session;
const by = { session, changes: new Map() };

const rows: [what: string, id: CallableId, args: unknown, undo: unknown][] = [
  ['a block', 'block', { friendId: 'a' }, ['unblock', { friendId: 'a' }]],
  ['a block with a further field', 'block', rawBody({ friendId: 'a', more: 1 }), ['unblock', { friendId: 'a' }]],
  ['a block of a number', 'block', rawBody({ friendId: 12_345 }), ['unblock', { friendId: '12345' }]],
  ['a love of a number', 'love', rawBody({ storyId: 12_345 }), ['unlove', { storyId: '12345' }]],
  ['a block without a user', 'block', rawBody({}), undefined],
  ['broken JSON', 'block', rawText('{"friendId":"a"'), undefined],
  ['what nothing takes back', 'report', { storyId: 'a' }, undefined],
];

for (const [what, id, args, expected] of rows) {
  test(`what takes back ${what}: ${JSON.stringify(expected) ?? 'nothing'}`, () => {
    const undo = undoOf(id, args, by);
    assert.deepEqual(undo && [undo.operation, undo.args], expected);
  });
}

test('changes are taken back once, the last one first; what was refused or taken back before is not', async () => {
  const undos = new PendingUndos();
  const of = (operation: CallableId) => ({ operation }) as Exchange;
  undos.note(of('block'), { friendId: 'a' }, by, 'accepted');
  undos.note(of('love'), { storyId: 's' }, by, 'unclear');
  undos.note(of('block'), { friendId: 'b' }, by, 'refused');
  undos.note(of('block'), { friendId: 'c' }, by, 'accepted');
  undos.note(of('unblock'), { friendId: 'c' }, by, 'accepted');
  assert.ok(undos.has('unblock', { friendId: 'a' }, session));
  const sent: string[] = [];
  const send = async ({ operation, args }: { operation: CallableId; args: unknown }) => {
    sent.push(`${operation} ${JSON.stringify(args)}`);
    return { response: { status: operation === 'unlove' ? 500 : 200 } } as Exchange;
  };
  assert.deepEqual(await undos.undoAll(send), ['unlove {"storyId":"s"}']);
  assert.deepEqual(sent, ['unlove {"storyId":"s"}', 'unblock {"friendId":"a"}']);
  assert.deepEqual(await undos.undoAll(send), []);
});
