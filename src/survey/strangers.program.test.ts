import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onReadings } from '../testing/survey/on-readings.ts';
import { asSurveyed, surveyScore } from '../testing/survey/scores.ts';
import { strangers } from '../testing/survey/strangers/index.ts';

// Complete surveys of services that weren't used to develop the suite, and of variants of the reference service. They take about 20 s, so
// they are not among the hermetic tests.

/** Minimum share of all these questions that the surveys must answer. */
const LEAST_DECIDED = 0.97;

let [asked, decided] = [0, 0];

const surveyed = {
  ...Object.fromEntries(Object.keys(strangers).map((name) => [name, asSurveyed(name)])),
  ...onReadings,
};

for (const [name, service] of Object.entries(surveyed))
  test(`${name}: surveyed without a wrong fact, and nothing drifts afterwards`, async (t) => {
    const found = await surveyScore(service, { once: true });
    assert.deepEqual({ wrong: found.wrong, alarms: found.alarms }, { wrong: [], alarms: [] });
    t.diagnostic(`${found.decided} of ${found.asked} decided with ${found.requests} requests`);
    asked += found.asked;
    decided += found.decided;
  });

test('nearly all is decided', (t) => {
  t.diagnostic(`${decided} of ${asked} decided (${((100 * decided) / asked).toFixed(1)} %)`);
  assert.ok(asked > 0 && decided >= asked * LEAST_DECIDED, `${decided} of ${asked} decided`);
});
