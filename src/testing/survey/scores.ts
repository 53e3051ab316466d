import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../environment/index.ts';
import { Facts } from '../../facts/index.ts';
import { allScenarios, runAll, runScenario, type Scenario, type ScenarioResult, scenarios } from '../../run/index.ts';
import { withUsers } from '../../safety/index.ts';
import { nodeTransports } from '../../scenario/index.ts';
import { isDecided } from '../../survey/findings.ts';
import { preflight } from '../../survey/preflight.ts';
import type { SurveyRun } from '../../survey/run-survey.ts';
import { strangers } from './strangers/index.ts';
import type { StrangerHandler } from './strangers/serve.ts';
import { type Stranger, withStranger } from './strangers/stranger.ts';
import { truthOf } from './strangers/truth.ts';
import { surveyOf } from './surveyed.ts';

const isRed = ({ verdict }: ScenarioResult) => !['passed', 'slow', 'skipped'].includes(verdict);

/** A test service that was written from the specification alone. With a `turn`, only a third of the generated specs run on it. */
export interface PlayedStranger {
  readonly name: string;
  readonly turn?: number;
}

/**
 * Each turn runs another third of the generated specs. A third is enough: the same kinds of specs are generated for each operation, and a
 * service handles each kind in the same way for all operations.
 */
const ONE_OF = 3;
const isItsTurn = (turn: number) => (_: Scenario, index: number) =>
  (index + Math.floor(index / ONE_OF)) % ONE_OF === turn % ONE_OF;

const strangerOf = (name: string) => strangers[name] as Stranger;

/**
 * Runs the suite on a test service, and then the hand-written scenarios again. The second run finds the state that the first run left in
 * the service and on disk.
 */
export function runScore({ name, turn }: PlayedStranger) {
  return withStranger(strangerOf(name), async (environment) => {
    const own = await scenarios();
    const generated = (await allScenarios())
      .filter((spec) => !own.includes(spec))
      .filter(turn === undefined ? () => true : isItsTurn(turn));
    const results = await runAll([...own, ...generated], { environment, seed: '1', runId: randomUUID() });
    const again = await runAll(own, { environment, seed: '2', runId: randomUUID() });
    const unproven = results.filter((result) => result.unproven).length;
    const skipped = results.filter(({ verdict }) => verdict === 'skipped').length - unproven;
    const first = results.filter(isRed);
    const red = [...first, ...again.filter(isRed)]
      .filter(({ reason }) => !/STORED_ITEM_IDS has 0 unused/.test(reason ?? ''))
      .map(({ title, reason }) => ({ title, reason }));
    return { passed: results.length - first.length - unproven - skipped, unproven, skipped, red };
  });
}

/** Runs specs about credentials on a service that checks none; returns their titles by result. @public */
export function unlockedScore({ name, turn = 0 }: PlayedStranger) {
  return withStranger(unlocked(strangerOf(name)), async (environment) => {
    const about = (await scenarios('auth'))
      .filter(({ title }) => /with (Authorization|mm-api-key) /.test(title))
      .filter(isItsTurn(turn));
    const results = await runAll(about, { environment, seed: '1', runId: randomUUID() });
    const titlesOf = (is: (result: ScenarioResult) => boolean | undefined) =>
      results.filter(is).map(({ title }) => title);
    return {
      red: titlesOf(isRed),
      unproven: titlesOf(({ unproven }) => unproven),
      green: titlesOf(({ verdict }) => ['passed', 'slow'].includes(verdict)),
    };
  });
}

/** The same service without a check of credentials: before it reads a request, the correct credentials replace those of the request. */
function unlocked(stranger: Stranger): Stranger {
  const { ACCESS_TOKEN, FRIEND_ACCESS_TOKEN, FRIEND_USER_ID, API_KEY = '' } = stranger.keys;
  const make = (): StrangerHandler => {
    const handle = stranger.make();
    return ({ headers, ...rest }) => {
      const isFriend = FRIEND_ACCESS_TOKEN && headers['mm-user-id'] === FRIEND_USER_ID;
      const credentials = rest.path.includes('/apikey/')
        ? { 'mm-api-key': API_KEY }
        : { authorization: `bearer ${isFriend ? FRIEND_ACCESS_TOKEN : ACCESS_TOKEN}` };
      return handle({ ...rest, headers: { ...headers, ...credentials } });
    };
  };
  return { ...stranger, make, keys: { ...stranger.keys, PROVISION_URL: undefined } };
}

/** A service to survey, and its true answers. */
export interface Surveyed {
  readonly play: <T>(work: (environment: Environment) => Promise<T>) => Promise<T>;
  readonly expected: (operation: string, question: string) => string | RegExp | undefined;
}

export function asSurveyed(name: string): Surveyed {
  const stranger = strangerOf(name);
  return {
    play: (work) => withStranger(stranger, work),
    expected: (operation, question) => truthOf(stranger.truth, stranger.style, operation, question),
  };
}

/**
 * The result of a survey: the number of questions that it decided, its wrong facts, and the scenarios that fail with its facts (`alarms`).
 * `once`: leaves out `getFriendProfile`, because its request in the specification is that of `updateProfile`.
 */
export async function surveyScore({ play, expected }: Surveyed, { once = false } = {}) {
  const alarms: string[] = [];
  const run = await play(async (environment) => {
    const options = { environment, seed: '1', runId: randomUUID() };
    const found = await surveyOf(environment, {
      ...options,
      preflight: await preflight(options),
      only: (_, id) => !once || id !== 'getFriendProfile',
    });
    assert.deepEqual({ ended: found.ended, left: found.left }, { ended: undefined, left: [] });
    // These specs come first, because they write invalid values into the profile. The other scenarios read the profile, and must not fail
    // because of these values.
    const invalid = (await scenarios('robustness')).filter(({ title }) =>
      /^updateProfile .*(wrong type|no effect)$/.test(title),
    );
    const played = [...invalid, ...(await scenarios()), ...(await scenarios('facts'))];
    alarms.push(...(await alarmsIn(environment, found, played)));
    return found;
  });
  await play(async (environment) => {
    const reset = await alarmsIn(environment, run, await scenarios());
    alarms.push(...reset.map((alarm) => `with its data reset: ${alarm}`));
  });
  const decided = run.findings.filter(isDecided);
  const wrong = decided.filter(({ operation, question, answer }) => {
    const truth = expected(operation, question);
    assert.ok(truth, `the truth (src/testing/survey/) lacks a row for ${operation} ${question}`);
    return truth instanceof RegExp ? !truth.test(answer) : truth !== answer;
  });
  return {
    asked: run.findings.length,
    decided: decided.length,
    requests: run.requests,
    wrong: wrong.map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`),
    alarms,
  };
}

async function alarmsIn(
  environment: Environment,
  { findings, observed }: SurveyRun,
  played: readonly Scenario[],
): Promise<string[]> {
  const learned: Environment = {
    ...environment,
    drift: 'fail',
    observed: new Map(observed.map((entry) => [entry.operation, entry])),
    facts: new Facts(findings.filter(isDecided)),
  };
  const alarms: string[] = [];
  const transports = nodeTransports(learned);
  try {
    await withUsers(learned, { say: assert.fail }, async (users) => {
      for (const scenario of played) {
        const run = { environment: learned, seed: '2', runId: randomUUID(), transports, users };
        const result = await runScenario(scenario, run);
        if (['drifted', 'failed'].includes(result.verdict)) alarms.push(`${result.title}: ${result.reason}`);
      }
    });
  } finally {
    await transports.dispose();
  }
  return alarms;
}
