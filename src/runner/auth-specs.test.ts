import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Fault } from '../../reference-service/index.ts';
import { forgetMemory } from '../scenario/index.ts';
import { type HeaderName, headerSets, operation, operationIds } from '../spec/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runScenario, type ScenarioResult, scenarios } from './index.ts';

const service = await ownService();
// What it remembers is its own.
const environment = embeddedEnvironment(service, { name: 'auth-specs' });
const runId = randomUUID();
const specs = await scenarios('auth');

function results(titlePart: string): Promise<ScenarioResult[]> {
  const found = specs.filter(({ title }) => title.startsWith(titlePart));
  return Promise.all(found.map((spec) => runScenario(spec, { environment, seed: titlePart, runId })));
}

async function verdicts(titlePart: string): Promise<Record<string, string>> {
  return Object.fromEntries((await results(titlePart)).map(({ title, verdict }) => [title, verdict]));
}

/** The title that the specs of one operation and header begin with: `block with mm-user-id `. */
function titlePart(id: string, name: HeaderName): string {
  return `${id} with ${name === 'authorization' ? 'Authorization' : name} `;
}

test('the auth specs pass while every header is checked', async () => {
  for (const id of operationIds) {
    for (const [title, verdict] of Object.entries(await verdicts(`${id} with `)))
      assert.equal(verdict, 'passed', title);
  }
});

for (const id of operationIds) {
  for (const name of headerSets[operation(id).headerSet]) {
    test(`${id}: no spec for ${name} stays green when its check is taken out of the service`, async () => {
      // Rows 11 and 12 share one request, which the service serves as row 11's.
      const served = id === 'getFriendProfile' ? 'updateProfile' : id;
      const fault: Fault = { name: `${id} ignores ${name}`, operation: served, unchecked: [name] };
      service.faults.set(fault);
      forgetMemory(environment.name);
      const found = await verdicts(titlePart(id, name));
      assert.ok(Object.keys(found).length >= 2, 'there are specs for it');
      for (const [title, verdict] of Object.entries(found)) {
        // Nothing else of the service shows whether a feature's user is checked, so only that it must be there is certain.
        const isOpen = id === 'evaluate' && name === 'mm-user-id' && !title.includes('missing');
        assert.equal(verdict, isOpen ? 'skipped' : 'failed', title);
      }
    });
  }
}

test('what was refused before is expected to be: a check that is gone is told, with its history', async () => {
  const id = 'evaluate';
  forgetMemory(environment.name);
  await verdicts(titlePart(id, 'app-bundle'));
  service.faults.set({
    name: 'app-* unchecked',
    operation: id,
    unchecked: headerSets.flag.filter((name) => name.startsWith('app-')),
  });
  const found = await results(titlePart(id, 'app-bundle'));
  assert.ok(found.length >= 2);
  for (const { verdict, grade, reason } of found) {
    assert.deepEqual([verdict, grade], ['failed', 'learned'], reason ?? '');
    assert.match(
      reason ?? '',
      /refused 1 time since .*, accepted since .*; if that is meant, `npx sextant survey --env auth-specs` /,
    );
  }
});
