import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gravest, operation, operationIds, readProfile } from '../spec/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runAll, scenarios } from './index.ts';

const service = await ownService();
const environment = embeddedEnvironment(service);
const results = await runAll(await scenarios(), { environment, seed: 'coverage', runId: 'coverage' });

test('every scenario passes on the reference service', () => {
  const notPassed = results
    .filter(({ verdict }) => verdict !== 'passed')
    .map(({ title, verdict, reason }) => `${title}: ${verdict} ${reason}`);
  assert.deepEqual(notPassed, []);
});

test('every row of the catalogue is exercised by a scenario', () => {
  const called = new Set<string>(results.flatMap(({ exchanges }) => exchanges.map(({ operation }) => operation)));
  const uncovered = [...operationIds, readProfile.id].filter((id) => !called.has(id));
  assert.deepEqual(uncovered, [], 'no scenario calls these: add one to tests/scenarios/');
});

for (const { title, effect, area, exchanges } of results) {
  test(`"${title}" is tagged with what it does: @${area} @${effect}`, () => {
    const called = exchanges.map((exchange) =>
      exchange.operation === readProfile.id ? readProfile : operation(exchange.operation),
    );
    assert.equal(effect, gravest(called.map((entry) => entry.effect)));
    if (area !== 'all') assert.deepEqual([...new Set(called.map((entry) => entry.area))], [area]);
  });
}
