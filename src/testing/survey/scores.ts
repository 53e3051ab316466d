import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { factKey } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import {
  allScenarios,
  runAll,
  runScenario,
  type Scenario,
  type ScenarioResult,
  scenarios,
} from '../../runner/index.ts';
import { UNDECIDED } from '../../survey/facts/fact.ts';
import { preflight } from '../../survey/preflight.ts';
import type { SurveyOptions, SurveyRun } from '../../survey/run-survey.ts';
import { type Stranger, withStranger } from './strangers/stranger.ts';
import { truthOf } from './strangers/truth.ts';
import { surveyOf } from './surveyed.ts';

export const isRed = ({ verdict }: ScenarioResult) => !['passed', 'slow', 'skipped'].includes(verdict);

/**
 * How the suite ends on a service, and its scenarios once more on what the first run left behind and remembers: all of its specs, or of
 * those that are generated the chosen ones.
 */
export async function runScore(
  environment: Environment,
  isChosen: (spec: Scenario, index: number) => boolean = () => true,
) {
  const own = await scenarios();
  const generated = (await allScenarios()).filter((spec) => !own.includes(spec)).filter(isChosen);
  const results = await runAll([...own, ...generated], { environment, seed: '1', runId: randomUUID() });
  const again = await runAll(own, { environment, seed: '2', runId: randomUUID() });
  const unproven = results.filter((result) => result.unproven).length;
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').length - unproven;
  const first = results.filter(isRed);
  const red = [...first, ...again.filter(isRed)].filter(
    ({ reason }) => !/STORED_ITEM_IDS has 0 unused/.test(reason ?? ''),
  );
  return { passed: results.length - first.length - unproven - skipped, unproven, skipped, red };
}

/** What a survey of a stranger says: how much it decides, what of it is wrong, and what is red afterwards. */
export async function surveyScore(stranger: Stranger, only?: SurveyOptions['only']) {
  const alarms: string[] = [];
  const run = await withStranger(stranger, async (environment, folder) => {
    const options = { environment, seed: '1', runId: randomUUID() };
    const rest = { preflight: await preflight(options), ...(only ? { only } : {}) };
    const found = await surveyOf(environment, folder, { ...options, ...rest });
    assert.deepEqual({ ended: found.ended, left: found.left }, { ended: undefined, left: [] });
    alarms.push(...(await alarmsIn(environment, found, [...(await scenarios()), ...(await scenarios('facts'))])));
    return found;
  });
  await withStranger(stranger, async (environment) => {
    const reset = await alarmsIn(environment, run, await scenarios());
    alarms.push(...reset.map((alarm) => `with its data reset: ${alarm}`));
  });
  const { facts, requests } = run.survey;
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED).length;
  return { asked: facts.length, decided, requests, wrong: wrongFacts(stranger, run), alarms };
}

function wrongFacts({ truth, style }: Stranger, { survey }: SurveyRun): string[] {
  const wrong = survey.facts.filter(({ operation, question, answer }) => {
    const expected = truthOf(truth, style, operation, question);
    if (answer === UNDECIDED) return false;
    assert.ok(
      expected,
      `the truth of a stranger (src/testing/survey/strangers/) lacks a row for ${operation} ${question}`,
    );
    return expected instanceof RegExp ? !expected.test(answer) : expected !== answer;
  });
  return wrong.map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`);
}

async function alarmsIn(
  environment: Environment,
  { survey, observed }: SurveyRun,
  played: readonly Scenario[],
): Promise<string[]> {
  const decided = survey.facts.filter(({ answer }) => answer !== UNDECIDED);
  const learned: Environment = {
    ...environment,
    drift: 'fail',
    observed: new Map(observed.map((entry) => [entry.operation, entry])),
    facts: new Map(decided.map((fact) => [factKey(fact.operation, fact.question), fact])),
  };
  const alarms: string[] = [];
  for (const scenario of played) {
    const result = await runScenario(scenario, { environment: learned, seed: '2', runId: randomUUID() });
    if (['drifted', 'failed'].includes(result.verdict)) alarms.push(`${result.title}: ${result.reason}`);
  }
  return alarms;
}
