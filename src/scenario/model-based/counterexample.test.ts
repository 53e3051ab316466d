import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../client/index.ts';
import { counterexample, replayOf, script } from './counterexample.ts';

const rows: [given: string | undefined, expected: ReturnType<typeof replayOf>][] = [
  [undefined, undefined],
  ['', undefined],
  ['12', undefined],
  ['x:1', undefined],
  ['12:3:0:1', { seed: 12, path: '3:0:1' }],
  [' -7:0 ', { seed: -7, path: '0' }],
];

for (const [given, expected] of rows)
  test(`replay of ${given}`, () => assert.deepEqual(replayOf({ SEXTANT_WALK: given }), expected));

test('a story numbers its steps and names what replays it', () => {
  const text = counterexample(['the caller blocks the friend', 'the friend looks'], {
    seed: 5,
    counterexamplePath: '1:0',
    numShrinks: 2,
  });
  assert.match(text, /1\. the caller blocks the friend\n {2}2\. the friend looks\nReplay it with SEXTANT_WALK=5:1:0$/);
});

test('a script holds a curl line for each call, after what came of it', () => {
  const request = { method: 'GET', url: 'https://a.example/v1', headers: { a: 'b' }, correlation: {} };
  const exchange = { operation: 'listBlocked', request, response: { status: 200 } } as unknown as Exchange;
  const lines = script([exchange]).split('\n');
  assert.deepEqual(lines.slice(2), ['# listBlocked → 200', "curl -sS 'https://a.example/v1' -H 'a: b'"]);
});
