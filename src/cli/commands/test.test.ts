import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separateInteractive } from '../../scenario/index.ts';
import { interruptChild } from '../playwright/playwright-run.ts';
import { shardText } from './test.ts';

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

const shard = { index: 1, count: 4 };
for (const [areas, says] of [
  [
    ['friends', 'stories'],
    /: Friends, Stories .*\nMost tests are in this shard, so shards hardly shorten the run: .*PROVISION_URL/,
  ],
  [['gameDesign'], /^Shard 1 of 4: Game design \([^)]*\)\.\n$/],
  [[], /has nothing to do/],
  [undefined, /^Shard 1 of 4\.\n$/],
] as const)
  test(`a shard of ${areas?.join(', ') ?? 'all'} says before the run what it is worth`, () =>
    assert.match(shardText(shard, areas), says));

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
