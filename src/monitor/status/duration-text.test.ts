import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from './duration-text.ts';

test('durations in two units at most', () => {
  const durations: [number, string][] = [
    [0, '0 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [61, '1 min 1 s'],
    [3_600, '1 h'],
    [11_100, '3 h 5 min'],
    [172_800, '2 d'],
    [180_000, '2 d 2 h'],
  ];
  for (const [seconds, text] of durations) assert.equal(durationText(seconds * 1000), text);
});
