import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { playWorld } from '../testing/monitor/play-world.ts';
import { worlds } from '../testing/monitor/random-worlds.ts';

/** `SEXTANT_WORLDS=10000` plays more. */
const numRuns = Number(process.env.SEXTANT_WORLDS ?? 120);

test(`in ${numRuns} random worlds: no outage is silent, no recovery false, no incident open for ever, and a restart changes nothing`, () => {
  fc.assert(
    fc.property(worlds, (steps) => {
      const { problems, notices } = playWorld(steps);
      assert.deepEqual(problems, []);
      if (steps.some(({ events }) => events.some(({ kind }) => kind === 'restart')))
        assert.deepEqual(playWorld(steps, false).notices, notices, 'a restart changes nothing');
    }),
    { numRuns, ...(process.env.SEXTANT_SEED ? { seed: Number(process.env.SEXTANT_SEED) } : {}) },
  );
});
