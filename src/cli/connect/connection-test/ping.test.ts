import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAhead } from './ping.ts';

const clocks: [date: string | undefined, sentAt: number, receivedAt: number, ahead: number | undefined][] = [
  [undefined, 0, 1, undefined],
  ['nonsense', 0, 1, undefined],
  // The header has whole seconds: its second began before the request was sent.
  ['Thu, 01 Jan 1970 00:00:10 GMT', 10_200, 10_400, 0],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 9_900, 10_100, 0],
  ['Thu, 01 Jan 1970 00:00:20 GMT', 10_200, 10_400, 9_600],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 20_200, 20_400, -9_200],
];
for (const [date, sentAt, receivedAt, ahead] of clocks)
  test(`a Date of ${date} between ${sentAt} and ${receivedAt} is ahead by ${ahead}`, () =>
    assert.equal(clockAhead(date, sentAt, receivedAt), ahead));
