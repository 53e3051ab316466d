import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawBody, rawText, type Session } from '../client/index.ts';
import type { CallableId } from '../spec/index.ts';
import { undoOf } from './survey-undo.ts';

const by = { session: {} as Session, changes: new Map() };

const rows: [what: string, id: CallableId, args: unknown, undo: unknown][] = [
  ['a block', 'block', { friendId: 'a' }, ['unblock', { friendId: 'a' }]],
  ['a block with a further field', 'block', rawBody({ friendId: 'a', more: 1 }), ['unblock', { friendId: 'a' }]],
  ['a block of a number', 'block', rawBody({ friendId: 12_345 }), ['unblock', { friendId: '12345' }]],
  ['a love of a number', 'love', rawBody({ storyId: 12_345 }), ['unlove', { storyId: '12345' }]],
  ['a block of nobody', 'block', rawBody({}), undefined],
  ['broken JSON', 'block', rawText('{"friendId":"a"'), undefined],
  ['what nothing takes back', 'report', { storyId: 'a' }, undefined],
];

for (const [what, id, args, expected] of rows) {
  test(`what takes back ${what}: ${JSON.stringify(expected) ?? 'nothing'}`, () => {
    const undo = undoOf(id, args, by);
    assert.deepEqual(undo && [undo.operation, undo.args], expected);
  });
}
