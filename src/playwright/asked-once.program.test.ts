import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioBody } from '../../fixtures/index.ts';
import { runScenario } from '../run/index.ts';
import { askedFacts } from '../scenario/index.ts';
import { scenarioOf } from '../testing/made-scenario.ts';
import { runInline } from '../testing/programs/run-inline.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment, environmentText } from '../testing/test-environment.ts';

/**
 * A spec that reads a list and then evaluates a flag that doesn't exist. The service responds to the read only when both specs have sent
 * theirs, so the evaluations come at the same time.
 */
const spec = (title: string, more = '') => `
import { scenario } from './sextant.ts';
scenario('${title}', { tag: ['@all', '@read'] }, async ({ friends, features, fallsBack, data }) => {
  await friends.listBlocked().succeeds();
  const flag = { key: data.text(), default: data.id(), contextData: data.context() };
  await fallsBack((fallback) => features.evaluate({ ...flag, default: fallback }));
  ${more}
});
`;

/**
 * The number of requests with which a run finds out how a response to an unknown flag shows that the service used the default in the
 * request.
 */
const TRIALS = 3;

/**
 * The environment keys of both tests. Only the first test adds PROVISION_URL: two workers run at once only if each scenario has users of
 * its own.
 */
const keys = { ALLOWED_EFFECTS: 'read', REQUEST_TIMEOUT_MS: 60_000 };

const service = await ownService();

test('two workers that need the same answer ask once', async () => {
  const { promise: bothAreThere, resolve } = Promise.withResolvers<void>();
  let [readers, evaluations] = [0, 0];
  const meeting = async () => {
    if (++readers === 2) resolve();
    await bothAreThere;
    return undefined;
  };
  service.faults.set(
    { name: 'a meeting', operation: 'listBlocked', arrive: () => meeting },
    { name: 'counted', operation: 'evaluate', arrive: () => () => void evaluations++ },
  );
  const run = await runInline({
    specs: { 'one.spec.ts': spec('one'), 'two.spec.ts': spec('two') },
    environments: { qa: environmentText(service.addresses, { ...keys, PROVISION_URL: service.provisionUrl }) },
    args: ['--workers=2'],
  });
  assert.equal(run.code, 0, run.console);
  assert.deepEqual(
    run.tests.map(({ title, status }) => `${title} ${status}`),
    ['one passed', 'two passed'],
  );
  assert.equal(evaluations, TRIALS + run.tests.length);
  assert.match(
    run.console,
    /qa: found out 1 fact; to keep it, run `?npx sextant survey --env qa --only 'evaluate default-fallback'/,
  );
});

test('an answer about an operation that then failed is not to be kept, in either runner', async () => {
  const { code, console } = await runInline({
    specs: { 'one.spec.ts': spec('one', 'await features.evaluate(flag).isRefused();') },
    environments: { qa: environmentText(service.addresses, keys) },
  });
  assert.equal(code, 1, console);
  assert.match(console, /evaluate accepts what it must refuse/);
  assert.doesNotMatch(console, /found out \d+ facts?/);

  const { facts: _, provisionUrl: __, ...environment } = embeddedEnvironment(service);
  const body: ScenarioBody = async ({ features, fallsBack, data }) => {
    const flag = { key: data.text(), default: data.id(), contextData: data.context() };
    await fallsBack((fallback) => features.evaluate({ ...flag, default: fallback }));
    await features.evaluate(flag).isRefused();
  };
  const result = await runScenario(scenarioOf('one', body, '@all', '@read'), {
    environment,
    seed: 'one',
    runId: 'one',
  });
  assert.equal(result.verdict, 'failed', result.reason);
  assert.deepEqual(askedFacts('one', environment.name), []);
});
