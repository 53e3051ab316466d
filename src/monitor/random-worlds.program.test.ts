import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { worlds } from '../testing/monitor/random-worlds.ts';
import { tellOutages } from '../testing/monitor/tell-outages.ts';

/** The number of random series of outages. `SEXTANT_WORLDS=10000` tries more of them. */
const numRuns = Number(process.env.SEXTANT_WORLDS ?? 120);

/** Two channels: `webhook` gets all notices, `slack` only those about the environments bb and cc. */
const telling = {
  isUneven: true,
  options: { channels: ['webhook', 'slack'], routes: new Map([['slack', ['bb', 'cc']]]) },
};

test(`in ${numRuns} random worlds: no outage is silent, no recovery false, no incident open for ever, and a restart changes nothing`, () => {
  fc.assert(
    fc.property(worlds, (story) => {
      const { headlines, problems, still, unsettled } = tellOutages(story, telling);
      assert.deepEqual({ problems, still, unsettled }, { problems: [], still: [], unsettled: 0 });
      const unbroken = story.replaceAll(/; all \S+ restarted/g, '');
      if (unbroken !== story)
        assert.deepEqual(tellOutages(unbroken, telling).headlines, headlines, 'a restart changes nothing');
    }),
    { numRuns, ...(process.env.SEXTANT_SEED ? { seed: Number(process.env.SEXTANT_SEED) } : {}) },
  );
});
