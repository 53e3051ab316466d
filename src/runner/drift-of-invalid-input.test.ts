import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fault, startService } from '../../reference-service/index.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runScenario, scenarios } from './index.ts';

const service = await startService({ port: 0 });
after(() => service.stop());
const environment = embeddedEnvironment(service, { drift: 'fail' });

const takesAndRepeatsAll: Fault = {
  name: 'takes-and-repeats-all',
  operation: 'updateProfile',
  validate: () => (_, body) => (typeof body === 'object' && body ? { includes: '', ...body } : { includes: '' }),
  handle:
    () =>
    ({ userId, args }) => ({ status: 200, body: { ...(args as object), userId } }),
};

test('a response that repeats invalid input is not held to what valid requests get', async () => {
  service.faults.set(takesAndRepeatsAll);
  const specs = (await scenarios('robustness')).filter(({ title }) => title.startsWith('updateProfile handles'));
  assert.ok(specs.length > 0);
  for (const spec of specs) {
    const { verdict, reason } = await runScenario(spec, { environment, seed: '1', runId: 'invalid' });
    assert.equal(verdict, 'passed', `${spec.title}: ${reason}`);
  }
});
