import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interruptChild } from './playwright-run.ts';

const rows: [platform: NodeJS.Platform, connected: boolean, calls: string[]][] = [
  ['linux', true, ['kill SIGINT']],
  ['darwin', true, ['kill SIGINT']],
  ['win32', true, ['disconnect']],
  ['win32', false, []],
];
for (const [platform, connected, expected] of rows)
  test(`a run on ${platform} is interrupted: ${expected.join() || 'its channel is closed already'}`, () => {
    const calls: string[] = [];
    const kill = (name?: NodeJS.Signals | number) => calls.push(`kill ${name}`) > 0;
    interruptChild({ kill, connected, disconnect: () => void calls.push('disconnect') }, platform);
    assert.deepEqual(calls, expected);
  });
