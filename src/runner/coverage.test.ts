import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gravest, operation, operationIds, readProfile } from '../spec/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runAll, type ScenarioResult, scenarios } from './index.ts';

const service = await ownService();
const environment = embeddedEnvironment(service);
const results = await runAll(await scenarios(), { environment, seed: 'coverage', runId: 'coverage' });

const callable = [...operationIds, readProfile.id];

function uncovered(by: readonly ScenarioResult[]): string[] {
  const called = new Set<string>(by.flatMap(({ exchanges }) => exchanges.map((exchange) => exchange.operation)));
  return callable.filter((id) => !called.has(id));
}

test('every scenario passes on the reference service', () => {
  const notPassed = results
    .filter(({ verdict }) => verdict !== 'passed')
    .map(({ title, verdict, reason }) => `${title}: ${verdict} ${reason}`);
  assert.deepEqual(notPassed, []);
});

test('every row of the catalogue is exercised by a scenario', () => {
  assert.deepEqual(uncovered(results), [], 'no scenario calls these: add one to tests/scenarios/');
});

test('the coverage says so when the scenarios of a row are taken away', () => {
  for (const id of callable) {
    const without = results.filter(({ exchanges }) => !exchanges.some((exchange) => exchange.operation === id));
    assert.ok(uncovered(without).includes(id), id);
  }
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
