import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codingOf } from './compression.ts';

const rows: [accepted: string, coding: 'br' | 'gzip' | undefined][] = [
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br; q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
];

test('the coding is one that the client accepts', () => {
  for (const [accepted, coding] of rows) assert.equal(codingOf(accepted), coding, accepted);
});
