import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_MS, timeLimitMs } from './server.ts';

const rows: [header: string | undefined, limitMs: number][] = [
  ['10', 9_500],
  ['10.000000', 9_500],
  [' 2.5 ', 2_000],
  // Less than twice the offset keeps half of it.
  ['0.8', 400],
  ['0.5', 250],
  ['0.001', 0.5],
  [undefined, LONGEST_MS],
  ['', LONGEST_MS],
  ['0', LONGEST_MS],
  ['-3', LONGEST_MS],
  ['1e3', LONGEST_MS],
  ['0x10', LONGEST_MS],
  ['NaN', LONGEST_MS],
  ['Infinity', LONGEST_MS],
  ['10, 20', LONGEST_MS],
  ['ten', LONGEST_MS],
  ['999999999', LONGEST_MS - 500],
  ['9999999999', LONGEST_MS],
];

for (const [header, limitMs] of rows)
  test(`a scrape timeout of ${header === undefined ? 'no header' : JSON.stringify(header)} leaves ${limitMs} ms`, () => {
    assert.equal(timeLimitMs(header, 500), limitMs);
  });
