import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeExchange, fakeText } from '../../../testing/contract/fake-response.ts';
import { clockAhead } from './ping.ts';

const clocks: [date: string | undefined, startedAt: number, durationMs: number, ahead: number | undefined][] = [
  [undefined, 0, 1, undefined],
  ['nonsense', 0, 1, undefined],
  // The header has whole seconds: its second began before the request was sent.
  ['Thu, 01 Jan 1970 00:00:10 GMT', 10_200, 200, 0],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 9_900, 200, 0],
  ['Thu, 01 Jan 1970 00:00:20 GMT', 10_200, 200, 9_600],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 20_200, 200, -9_200],
];
for (const [date, startedAt, durationMs, ahead] of clocks)
  test(`a Date of ${date} in a request of ${durationMs} ms from ${startedAt} is ahead by ${ahead}`, () => {
    const response = fakeText(200, '', date === undefined ? {} : { date });
    assert.equal(clockAhead(fakeExchange({ response, startedAt, durationMs })), ahead);
  });
