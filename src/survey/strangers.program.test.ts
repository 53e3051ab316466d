import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surveyScore } from '../testing/survey/scores.ts';
import { strangers } from '../testing/survey/strangers/index.ts';

// Whole surveys of services that the suite wasn't made with, without a provisioner: some 20 s, so not among the hermetic tests.

/** Of all questions about all strangers. */
const LEAST_DECIDED = 0.97;

let [asked, decided] = [0, 0];

/** Rows 11 and 12 share one request, which the strangers answer in one place. */
const isAsked = (question: string, id: string) => id !== 'getFriendProfile' || question === 'own-request';

for (const [name, stranger] of Object.entries(strangers))
  test(`${name} is surveyed without a wrong fact, and nothing drifts afterwards`, async (t) => {
    const score = await surveyScore(stranger, isAsked);
    assert.deepEqual({ wrong: score.wrong, alarms: score.alarms }, { wrong: [], alarms: [] });
    t.diagnostic(`${score.decided} of ${score.asked} decided with ${score.requests} requests`);
    asked += score.asked;
    decided += score.decided;
  });

test('nearly all is decided', (t) => {
  t.diagnostic(`${decided} of ${asked} decided (${((100 * decided) / asked).toFixed(1)} %)`);
  assert.ok(asked > 0 && decided >= asked * LEAST_DECIDED, `${decided} of ${asked} decided`);
});
