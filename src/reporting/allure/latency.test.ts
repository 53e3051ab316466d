import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedCall } from '../../scenario/index.ts';
import { latencySamples } from './latency.ts';

const call = (durationMs: number, rest: Partial<LoggedCall> = {}): LoggedCall => ({
  environment: 'local',
  operation: 'block',
  startedAt: 1_000,
  durationMs,
  status: 200,
  ...rest,
});

const rows: [title: string, calls: LoggedCall[], expected: Record<string, number>][] = [
  ['no call', [], {}],
  ['one call is median and percentile', [call(12.34)], { 'local.block.median': 12.3, 'local.block.p95': 12.3 }],
  [
    'ranks are the nearest ones',
    Array.from({ length: 20 }, (_, index) => call(20 - index)),
    { 'local.block.median': 10, 'local.block.p95': 19 },
  ],
  [
    'environments and operations are kept apart',
    [call(1), call(2, { environment: 'staging' }), call(3, { operation: 'unblock' })],
    {
      'local.block.median': 1,
      'local.block.p95': 1,
      'staging.block.median': 2,
      'staging.block.p95': 2,
      'local.unblock.median': 3,
      'local.unblock.p95': 3,
    },
  ],
  [
    'a call without an answer has no latency',
    [{ environment: 'local', operation: 'block', startedAt: 1, durationMs: 9_999 }, call(5)],
    { 'local.block.median': 5, 'local.block.p95': 5 },
  ],
];

for (const [title, calls, expected] of rows)
  test(title, () => {
    const samples = latencySamples(calls);
    assert.deepEqual(Object.fromEntries(samples.map(({ key, value }) => [key, value])), expected);
  });

test('a sample spans its calls', () => {
  const [sample] = latencySamples([call(5, { startedAt: 100 }), call(7.4, { startedAt: 200 })]);
  assert.deepEqual([sample?.start, sample?.stop], [100, 207]);
});
