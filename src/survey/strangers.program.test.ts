import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surveyScore } from '../testing/survey/scores.ts';
import { strangers } from '../testing/survey/strangers/index.ts';

// Whole surveys of services that the suite wasn't made with, without a provisioner: some 20 s, so not among the hermetic tests.

/** Of all questions about all strangers. */
const LEAST_DECIDED = 0.97;

let [asked, decided] = [0, 0];

for (const name of Object.keys(strangers))
  test(`${name} is surveyed without a wrong fact, and nothing drifts afterwards`, async (t) => {
    const found = await surveyScore({ name, once: true });
    assert.deepEqual({ wrong: found.wrong, alarms: found.alarms }, { wrong: [], alarms: [] });
    t.diagnostic(`${found.decided} of ${found.asked} decided with ${found.requests} requests`);
    asked += found.asked;
    decided += found.decided;
  });

test('nearly all is decided', (t) => {
  t.diagnostic(`${decided} of ${asked} decided (${((100 * decided) / asked).toFixed(1)} %)`);
  assert.ok(asked > 0 && decided >= asked * LEAST_DECIDED, `${decided} of ${asked} decided`);
});
