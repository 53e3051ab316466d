import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { factKey } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { runScenario, scenarios } from '../runner/index.ts';
import { strangers } from '../testing/survey/strangers/index.ts';
import { type Stranger, truthOf, withStranger } from '../testing/survey/strangers/stranger.ts';
import { surveyOf } from '../testing/survey/surveyed.ts';
import { UNDECIDED } from './facts/fact.ts';
import { preflight } from './preflight.ts';
import type { SurveyRun } from './run-survey.ts';

// Whole surveys of services that the suite wasn't made with, without a provisioner: some 20 s, so not among the hermetic tests.

/** Of all questions about all strangers. */
const LEAST_DECIDED = 0.97;

function wrongFacts(stranger: Stranger, { survey }: SurveyRun): string[] {
  const wrong = survey.facts.filter(({ operation, question, answer }) => {
    const truth = truthOf(stranger, operation, question);
    if (answer === UNDECIDED) return false;
    assert.ok(
      truth,
      `the truth of a stranger (src/testing/survey/strangers/) lacks a row for ${operation} ${question}`,
    );
    return truth instanceof RegExp ? !truth.test(answer) : truth !== answer;
  });
  return wrong.map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`);
}

/** What is red in an environment that learned from a survey. */
async function alarmsIn(environment: Environment, { survey, observed }: SurveyRun): Promise<string[]> {
  const decided = survey.facts.filter(({ answer }) => answer !== UNDECIDED);
  const learned: Environment = {
    ...environment,
    drift: 'fail',
    observed: new Map(observed.map((entry) => [entry.operation, entry])),
    facts: new Map(decided.map((fact) => [factKey(fact.operation, fact.question), fact])),
  };
  const alarms: string[] = [];
  for (const scenario of [...(await scenarios()), ...(await scenarios('facts'))]) {
    const result = await runScenario(scenario, { environment: learned, seed: '2', runId: randomUUID() });
    if (['drifted', 'failed'].includes(result.verdict)) alarms.push(`${result.title}: ${result.reason}`);
  }
  return alarms;
}

test('strangers are surveyed without a wrong fact, nearly all is decided, and nothing drifts afterwards', async (t) => {
  let [asked, decided] = [0, 0];
  for (const [name, stranger] of Object.entries(strangers)) {
    await t.test(name, async (each) => {
      const run = await withStranger(stranger, async (environment, folder) => {
        const options = { environment, seed: '1', runId: randomUUID() };
        const found = await surveyOf(environment, folder, { ...options, preflight: await preflight(options) });
        assert.deepEqual({ ended: found.ended, left: found.left }, { ended: undefined, left: [] });
        assert.deepEqual(await alarmsIn(environment, found), [], 'on the same service');
        return found;
      });
      assert.deepEqual(wrongFacts(stranger, run), []);
      await withStranger(stranger, async (environment) =>
        assert.deepEqual(await alarmsIn(environment, run), [], 'on the service with its data reset'),
      );
      const { facts, requests } = run.survey;
      const known = facts.filter(({ answer }) => answer !== UNDECIDED).length;
      each.diagnostic(`${known} of ${facts.length} decided with ${requests} requests`);
      asked += facts.length;
      decided += known;
    });
  }
  t.diagnostic(`${decided} of ${asked} decided (${((100 * decided) / asked).toFixed(1)} %)`);
  assert.ok(decided >= asked * LEAST_DECIDED, `${decided} of ${asked} decided`);
});
