import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { strangers } from '../testing/survey/strangers/index.ts';
import { truthOf, withStranger } from '../testing/survey/strangers/stranger.ts';
import { surveyOf } from '../testing/survey/surveyed.ts';
import { UNDECIDED } from './fact.ts';
import { preflight } from './preflight.ts';

// Whole surveys of services that the suite wasn't made with, without a provisioner: some 15 s, so not among the hermetic tests.

/** Of all questions about all strangers. */
const LEAST_DECIDED = 0.95;

test('strangers are surveyed without a wrong statement, and nearly all of it is decided', async (t) => {
  let [asked, decided] = [0, 0];
  for (const [name, stranger] of Object.entries(strangers)) {
    await t.test(name, async (each) => {
      await withStranger(stranger, async (environment, folder) => {
        const run = { environment, seed: '1', runId: randomUUID() };
        const { survey, left, ended } = await surveyOf(environment, folder, {
          ...run,
          preflight: await preflight(run),
        });
        assert.deepEqual({ ended, left }, { ended: undefined, left: [] });
        const known = survey.facts.filter(({ answer }) => answer !== UNDECIDED);
        const wrong = known.filter(({ operation, question, answer }) => {
          const truth = truthOf(stranger, operation, question);
          return truth instanceof RegExp ? !truth.test(answer) : truth !== answer;
        });
        assert.deepEqual(
          wrong.map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`),
          [],
        );
        each.diagnostic(`${known.length} of ${survey.facts.length} decided with ${survey.requests} requests`);
        asked += survey.facts.length;
        decided += known.length;
      });
    });
  }
  t.diagnostic(`${decided} of ${asked} decided (${((100 * decided) / asked).toFixed(1)} %)`);
  assert.ok(decided >= asked * LEAST_DECIDED, `${decided} of ${asked} decided`);
});
