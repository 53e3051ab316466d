import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operation } from '../../spec/index.ts';
import { rawBody, rawText } from '../requests/raw-body.ts';
import { undoArguments } from './undo-journal.ts';

const unblock = { undo: 'unblock', args: { friendId: 'ben' } };
const rows: [name: string, id: OperationId, args: unknown, expected: object | undefined][] = [
  ['a block', 'block', { friendId: 'ben' }, unblock],
  ['a love', 'love', { storyId: 's' }, { undo: 'unlove', args: { storyId: 's' } }],
  ['an unblock undoes itself no further', 'unblock', { friendId: 'ben' }, undefined],
  ['what nothing takes back', 'report', { storyId: 's' }, undefined],
  ['a read', 'listBlocked', { n1: '0', n2: '1' }, undefined],
  ['a body sent as it is', 'block', rawBody({ friendId: 'ben' }), unblock],
  ['a field too many', 'block', rawBody({ friendId: 'ben', colour: 'red' }), unblock],
  [
    'a number for an id, of which a service that took it made a text',
    'block',
    rawBody({ friendId: 7 }),
    { undo: 'unblock', args: { friendId: '7' } },
  ],
  ['an id of another type', 'block', rawBody({ friendId: ['ben'] }), undefined],
  ['no id', 'block', rawBody({}), undefined],
  ['no object', 'block', rawBody(null), undefined],
  ['a text that is no JSON', 'block', rawText('{"friendId":'), undefined],
  ['a text that is JSON', 'block', rawText('{"friendId":"ben"}', null), unblock],
];
for (const [name, id, args, expected] of rows) {
  test(`undo of ${name}`, () => assert.deepEqual(undoArguments(operation(id), args), expected));
}
