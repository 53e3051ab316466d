import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Exchange, rawBody, rawText } from '../../client/index.ts';
import { type OperationId, operation } from '../../spec/index.ts';
import { foundNothing, hadNoEffect } from './no-effect.ts';
import { undoArguments } from './undo-arguments.ts';

const unblock = { undo: 'unblock', args: { friendId: 'ben' } };
const rows: [name: string, id: OperationId, args: unknown, expected: object | undefined][] = [
  ['a block', 'block', { friendId: 'ben' }, unblock],
  ['a love', 'love', { storyId: 's' }, { undo: 'unlove', args: { storyId: 's' } }],
  ['an unblock undoes itself no further', 'unblock', { friendId: 'ben' }, undefined],
  ['a read', 'listBlocked', { n1: '0', n2: '1' }, undefined],
  ['a body sent as it is', 'block', rawBody({ friendId: 'ben' }), unblock],
  ['a field too many', 'block', rawBody({ friendId: 'ben', colour: 'red' }), unblock],
  ['an id of another type', 'block', rawBody({ friendId: 7 }), undefined],
  ['no object', 'block', rawBody(null), undefined],
  ['a text that is no JSON', 'block', rawText('{"friendId":'), undefined],
  ['a text that is JSON', 'block', rawText('{"friendId":"ben"}', null), unblock],
];
for (const [name, id, args, expected] of rows) {
  test(`undo of ${name}`, () => assert.deepEqual(undoArguments(operation(id), args), expected));
}

const answered = (status: number) => ({ response: { status } }) as Exchange;
const failed = (phase: string) => ({ failure: { phase } }) as Exchange;
const outcomes: [name: string, exchange: Exchange, noEffect: boolean, nothing: boolean][] = [
  ['200', answered(200), false, false],
  ['302', answered(302), false, false],
  ['400', answered(400), true, false],
  ['401', answered(401), true, false],
  ['404', answered(404), true, true],
  ['408', answered(408), false, false],
  ['409', answered(409), true, true],
  ['410', answered(410), true, true],
  ['500', answered(500), false, false],
  ['no address', failed('dns'), true, false],
  ['no connection', failed('connect'), true, false],
  ['no handshake', failed('tls'), true, false],
  ['no answer', failed('processing'), false, false],
  ['half an answer', failed('transfer'), false, false],
];
for (const [name, exchange, noEffect, nothing] of outcomes) {
  test(`${name}: the change was certainly not made: ${noEffect}; the undo found nothing: ${nothing}`, () => {
    assert.deepEqual([hadNoEffect(exchange), foundNothing(exchange)], [noEffect, nothing]);
  });
}
