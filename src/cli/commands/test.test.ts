import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shardText } from '../shard-option.ts';
import { variablesOf } from './test.ts';

test('UI mode writes where no other run does, and shares what must be shared', () => {
  process.env.SEXTANT_OUTPUT = '/somewhere';
  try {
    const env = ['staging'];
    assert.deepEqual(variablesOf(env, { env, ui: true, seed: '7' }, []), {
      SEXTANT_OUTPUT: '/somewhere/ui',
      SEXTANT_STATE: '/somewhere/state',
      SEXTANT_SEED: '7',
    });
    assert.deepEqual(variablesOf(env, { env }, []), {});
  } finally {
    delete process.env.SEXTANT_OUTPUT;
  }
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
