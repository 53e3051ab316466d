import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Burn, type BurnWindow, burnOf, burnRate, burnWindows } from './burn-rate.ts';

const minutes: Readonly<Record<BurnWindow, number>> = { '5m': 5, '30m': 30, '1h': 60, '6h': 360, '3d': 4_320 };

/** One run per minute; `isBad` gets the number of minutes ago. */
function counts(isBad: (minutesAgo: number) => boolean, every = 1) {
  const of = (window: BurnWindow) => {
    const runs = Array.from({ length: minutes[window] / every }, (_, index) => index * every);
    return { judged: runs.length, bad: runs.filter(isBad).length };
  };
  return Object.fromEntries(burnWindows.map((window) => [window, of(window)])) as Record<
    BurnWindow,
    { judged: number; bad: number }
  >;
}

const rows: [string, (ago: number) => boolean, number, number, Burn][] = [
  ['never bad', () => false, 1, 0.999, 'none'],
  // 1 of 60 is 16.7 times the budget of 99.9 %: only the minimum of bad runs prevents an alarm.
  ['one bad run', (ago) => ago === 2, 1, 0.999, 'none'],
  ['one bad run at five minutes and 99.5 %', (ago) => ago === 0, 5, 0.995, 'none'],
  ['three bad runs within minutes', (ago) => ago < 3, 1, 0.999, 'fast'],
  [
    'bad an hour ago, over since: nothing fast, but much of it is spent',
    (ago) => ago > 40 && ago < 55,
    1,
    0.999,
    'slow',
  ],
  ['one in four hundred, for days', (ago) => ago % 400 === 50, 1, 0.999, 'slow'],
  ['one in a hundred, for days', (ago) => ago % 100 === 0, 1, 0.999, 'fast'],
  ['one in two thousand, for days', (ago) => ago % 2_000 === 0, 1, 0.999, 'none'],
  ['all bad, at a lax objective', () => true, 1, 0.9, 'fast'],
  ['one in three, at a lax objective', (ago) => ago % 3 === 0, 1, 0.9, 'slow'],
  ['all bad, at a stricter objective', () => true, 1, 0.99, 'fast'],
];

test('how the error budget burns', () => {
  for (const [name, isBad, every, slo, expected] of rows)
    assert.equal(burnOf(counts(isBad, every), slo), expected, name);
  assert.equal(burnRate({ judged: 1_000, bad: 1 }, 0.999).toFixed(3), '1.000');
  assert.equal(burnRate({ judged: 0, bad: 0 }, 0.999), 0);
});
