import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, Session } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { PendingUndos } from './survey-undo.ts';

const session = { caller: { userId: 'ada' } } as Session;
const by = { session, changes: new Map() };

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
