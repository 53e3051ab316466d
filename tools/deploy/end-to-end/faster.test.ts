import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faster } from './faster.ts';

for (const [text, expected] of [
  ['    scrape_interval: 60s', '    scrape_interval: 3000ms'],
  ['  - interval: 5m', '  - interval: 15000ms'],
  ['        keep_firing_for: 7m', '        keep_firing_for: 21000ms'],
  ['        for: 1m', '        for: 3000ms'],
  ['  group_wait: 30s', '  group_wait: 1500ms'],
  [
    'max_over_time(up[150s]) + rate(up[1h] offset 15m)',
    'max_over_time(up[7500ms]) + rate(up[180000ms] offset 45000ms)',
  ],
  ['      - record: scenario:runs:count5m', '      - record: scenario:runs:count5m'],
  ['  - time() < 21 * 86400', '  - time() < 21 * 86400'],
] as const)
  test(text.trim(), () => assert.equal(faster(text, 20), expected));
