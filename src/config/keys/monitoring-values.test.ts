import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, durationsByTag, maintenanceRules } from './monitoring-values.ts';

const problem = (checked: object) => ('problem' in checked ? String(checked.problem) : 'none');

test('times are read, and refused with what was expected', () => {
  const read = duration('5s', '1h');
  for (const [given, ms] of [
    ['5s', 5_000],
    ['90s', 90_000],
    ['1h', 3_600_000],
    ['5000ms', 5_000],
  ] as const)
    assert.deepEqual(read(given), { value: ms });
  for (const given of ['4s', '61m', '60', 's', '-5s', '1.5m', '1w'])
    assert.match(problem(read(given)), /5s to 1h/, given);
});

test('times by tag', () => {
  assert.deepEqual(durationsByTag('@read=30s, @storage=10m'), {
    value: new Map([
      ['read', 30_000],
      ['storage', 600_000],
    ]),
  });
  assert.match(problem(durationsByTag('@read=1s')), /@read: "1s" is not a duration/);
});

test('maintenance windows', () => {
  assert.deepEqual(maintenanceRules('0 2 * * SUN for 2h in Europe/Berlin; 30 3 1 * * for 30m in UTC'), {
    value: [
      { pattern: '0 2 * * SUN', timeZone: 'Europe/Berlin', durationMs: 7_200_000 },
      { pattern: '30 3 1 * *', timeZone: 'UTC', durationMs: 1_800_000 },
    ],
  });
  assert.match(problem(maintenanceRules('0 2 * * SUN for 2y in UTC')), /is not a duration/);
});
