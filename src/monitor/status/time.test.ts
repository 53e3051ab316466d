import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from './duration-text.ts';
import { maintenanceAt, nextMaintenance } from './maintenance.ts';

const HOUR = 3_600_000;
const sundays = { pattern: '0 2 * * SUN', timeZone: 'Europe/Berlin', durationMs: 2 * HOUR };

const rows: [string, string | undefined, string][] = [
  ['2026-11-22T00:59:59.999Z', undefined, 'a moment before'],
  ['2026-11-22T01:00:00.000Z', '2026-11-22T03:00:00.000Z', 'its first moment (winter: UTC+1)'],
  ['2026-11-22T02:59:59.999Z', '2026-11-22T03:00:00.000Z', 'its last'],
  ['2026-11-22T03:00:00.000Z', undefined, 'over'],
  ['2026-07-05T00:30:00.000Z', '2026-07-05T02:00:00.000Z', 'in summer: UTC+2'],
  ['2026-11-23T01:30:00.000Z', undefined, 'a Monday'],
];

test('a weekly window follows the clock of its time zone', () => {
  for (const [now, until, why] of rows) {
    const span = maintenanceAt([sundays], Date.parse(now));
    assert.equal(span && new Date(span.to).toISOString(), until, why);
  }
});

test('of two open windows the longer one counts; the next ones are listed', () => {
  const daily = { pattern: '30 2 * * *', timeZone: 'Europe/Berlin', durationMs: 3 * HOUR };
  const now = Date.parse('2026-11-22T02:00:00Z');
  assert.equal(new Date(maintenanceAt([sundays, daily], now)?.to ?? 0).toISOString(), '2026-11-22T04:30:00.000Z');
  const [next] = nextMaintenance([sundays], now, 1);
  assert.equal(new Date(next?.from ?? 0).toISOString(), '2026-11-29T01:00:00.000Z');
});

const clockChanges: [name: string, pattern: string, day: string, windows: string[]][] = [
  ['a time that spring leaves out opens an hour later by the clock', '30 2 * * SUN', '2026-03-29', ['01:00 02:00']],
  ['a time that autumn has twice opens once, the first time', '30 2 * * SUN', '2026-10-25', ['00:30 01:30']],
  ['what comes after the change is on time', '0 3 * * *', '2026-10-25', ['02:00 03:00']],
];
for (const [name, pattern, day, expected] of clockChanges) {
  test(`daylight saving: ${name}`, () => {
    const rule = { pattern, timeZone: 'Europe/Berlin', durationMs: HOUR };
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const seen = new Set<string>();
    for (let minute = -60; minute < 12 * 60; minute++) {
      const span = maintenanceAt([rule], midnight + minute * 60_000);
      if (span) seen.add([span.from, span.to].map((at) => new Date(at).toISOString().slice(11, 16)).join(' '));
    }
    assert.deepEqual([...seen], expected);
  });
}

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
