import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separateInteractive } from '../../scenario/index.ts';
import { interruptChild } from '../playwright/playwright-run.ts';

const ui = { SEXTANT_OUTPUT: '/somewhere/ui', SEXTANT_STATE: '/somewhere/state' };
const own = { SEXTANT_OUTPUT: '/somewhere' };
for (const [argv, env, expected] of [
  ['test --ui', own, ui],
  ['test --ui-port=8080', own, ui],
  ['test-server', own, ui],
  ['test --ui', ui, ui],
  ['test --ui', { ...own, SEXTANT_STATE: '/state' }, { ...ui, SEXTANT_STATE: '/state' }],
  ['test --project=ui', own, own],
] as const)
  test(`${argv} in ${env.SEXTANT_OUTPUT} writes into ${expected.SEXTANT_OUTPUT}`, () => {
    const given = { ...env };
    separateInteractive(argv.split(' '), given);
    assert.deepEqual(given, expected);
  });

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
