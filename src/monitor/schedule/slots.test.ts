import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slots } from './scheduler.ts';

const MINUTE = 60_000;

const of = (count: number, intervalMs: number) => Array.from({ length: count }, () => intervalMs);
const rows: [name: string, intervalsMs: number[]][] = [
  ['one job', [MINUTE]],
  ['one environment', of(22, MINUTE)],
  ['one environment, every five seconds', of(22, 5_000)],
  ['fifty environments', of(1_100, MINUTE)],
  [
    'fifty environments, where every third run is rare',
    of(1_100, MINUTE).map((ms, index) => ms * (index % 3 ? 1 : 10)),
  ],
  ['two hundred environments', of(4_400, MINUTE)],
];

for (const [name, intervalsMs] of rows)
  test(`starts of ${name} are spread`, () => {
    const found = slots(intervalsMs);
    const shortest = Math.min(...intervalsMs);
    for (const [index, { first, second }] of found.entries()) {
      const intervalMs = intervalsMs[index] as number;
      assert.ok(first < shortest, `job ${index} has to wait ${first} ms for its first run`);
      const gap = (second - first) / intervalMs;
      assert.ok(gap >= 0.25 && gap <= 1.25, `job ${index}: ${gap} intervals between its first two runs`);
    }
    // Every start of the first three minutes, by the second in which it is.
    const bySecond = new Map<number, number>();
    for (const [index, { first, second }] of found.entries()) {
      const starts = [first];
      for (let at = second; at < 3 * MINUTE; at += intervalsMs[index] as number) starts.push(at);
      for (const at of starts) bySecond.set(Math.floor(at / 1_000), (bySecond.get(Math.floor(at / 1_000)) ?? 0) + 1);
    }
    const perSecond = intervalsMs.reduce((sum, ms) => sum + 1_000 / ms, 0);
    // The first round is quicker where there are few: 20 a second, or as many as the shortest interval asks for.
    const atStart = Math.max(20, intervalsMs.length / (shortest / 1_000));
    for (const [second, starts] of bySecond) {
      const most = second * 1_000 < shortest ? atStart + perSecond : perSecond;
      assert.ok(starts <= Math.ceil(most) + 1, `${starts} starts in second ${second}, at most ${most} expected`);
    }
  });
