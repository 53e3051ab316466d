import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../http/exchange.ts';
import { foundNothing, hadNoEffect } from './refusal-kind.ts';

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

const rule = { pointer: '/code', value: 0, text: '/code=0' };
const bodies: [body: unknown, noEffect: boolean][] = [
  [{ code: 0 }, false],
  [{ code: 3002 }, true],
  [{ message: 'done' }, false],
  ['done', false],
];
for (const [value, noEffect] of bodies) {
  test(`200 ${JSON.stringify(value)} next to SUCCESS_WHEN: the change was certainly not made: ${noEffect}`, () => {
    const exchange = { response: { status: 200, body: { json: { ok: true, value } } } } as unknown as Exchange;
    assert.equal(hadNoEffect(exchange, rule), noEffect);
    assert.equal(hadNoEffect(exchange), false);
  });
}

for (const [name, exchange, noEffect, nothing] of outcomes) {
  test(`${name}: the change was certainly not made: ${noEffect}; the undo found nothing: ${nothing}`, () => {
    assert.deepEqual([hadNoEffect(exchange), foundNothing(exchange)], [noEffect, nothing]);
  });
}
