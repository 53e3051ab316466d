import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Service, serviceReadings } from '../../reference-service/index.ts';
import { answerTo, surveyOf, withFreshService } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { UNDECIDED } from './facts/fact.ts';
import { preflight } from './preflight.ts';

/** Answers about reports where a user can report a story once, and a scenario before the survey did. */
const expected: readonly (readonly [question: string, answer: string])[] = [
  ['success-status', '201'],
  ['missing-header:Authorization', 'refused with 401'],
  ['wrong-header:Authorization', 'refused with 401'],
  ['malformed-json', 'refused with 400'],
  ['unknown-story', 'refused with 404'],
  ['required-field:message', 'required, else 400'],
  ['scheme-case', UNDECIDED],
  ['text-limit:message', UNDECIDED],
];

test('next to a valid request that is refused, another refusal is decided, and the same one is not', async () => {
  await withFreshService(async (service: Service, folder) => {
    service.faults.set(...serviceReadings.reportAgain.refused.changes(''));
    const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
    const options = { environment, seed: '1', runId: randomUUID() };
    const run = await surveyOf(environment, folder, {
      ...options,
      preflight: await preflight(options),
      only: (question, id) => id === 'report' && expected.some(([known]) => known === question),
    });
    assert.deepEqual(
      expected.map(([question]) => [question, answerTo(run, 'report', question)]),
      expected,
    );
  });
});
