import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayBar, stretches } from './day-bar.ts';
import { dayCode, worstDays } from './scenario-figures.ts';

test('a day without runs is neither up nor down', () => {
  const rows: [ratio: number | undefined, runs: number, code: string][] = [
    [1, 0, '-'],
    [undefined, 5, '-'],
    [1, 5, 'u'],
    [0.9999, 5, 'p'],
    [0.99, 5, 'p'],
    [0.98, 5, 'd'],
  ];
  for (const [ratio, runs, code] of rows) assert.equal(dayCode(ratio, runs), code, `${ratio} ${runs}`);
});

test('equal days in a row are one stroke', () => {
  assert.deepEqual(stretches('--uud'), [
    { code: '-', at: 0, length: 2 },
    { code: 'u', at: 2, length: 2 },
    { code: 'd', at: 4, length: 1 },
  ]);
  const { text } = dayBar('uuduu-');
  assert.match(text, /<path class="up" d="M0 5h2M3 5h2"\/><path class="down" d="M2 5h1"\/>/);
  assert.match(text, /aria-label="6 days: 4 up, 1 down, 1 without data"/);
  assert.ok(dayBar('u'.repeat(90)).text.length < 250);
});

test('of many scenarios, a day is as bad as its worst', () => {
  assert.equal(worstDays(['--uud', '-pud-', 'uuuuu']), 'upudd');
  assert.equal(worstDays([]), '');
});
