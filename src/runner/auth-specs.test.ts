import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Fault } from '../../reference-service/index.ts';
import { forgetMemory } from '../scenario/index.ts';
import { type HeaderName, headerSets, type OperationId } from '../spec/index.ts';
import { told } from '../testing/play.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runScenario, type ScenarioResult, scenarios } from './index.ts';

const service = await ownService();
// What it remembers is its own.
const environment = embeddedEnvironment(service, { name: 'auth-specs' });
const runId = randomUUID();
const specs = await scenarios('auth');

/** How the specs of one operation and header end. */
function results(id: OperationId, name: HeaderName): Promise<ScenarioResult[]> {
  const begin = `${id} with ${name === 'authorization' ? 'Authorization' : name} `;
  const found = specs.filter(({ title }) => title.startsWith(begin));
  return Promise.all(found.map((spec) => runScenario(spec, { environment, seed: begin, runId })));
}

const unchecked = (operation: OperationId, ...headers: HeaderName[]): Fault => ({
  name: `${operation} ignores ${headers}`,
  operation,
  unchecked: headers,
});

// The drill takes the check of each header out of each operation, and sees one spec fail: here, for each kind of header, all do.
const rows: [id: OperationId, name: HeaderName, served?: OperationId][] = [
  ['block', 'authorization'],
  ['cloneType', 'mm-api-key'],
  ['listBlocked', 'mm-user-id'],
  // Nothing else of the service shows whether a feature's user is checked, so only that it must be there is certain.
  ['evaluate', 'mm-user-id'],
  ['evaluate', 'app-ver'],
  // Rows 11 and 12 share one request, which the service serves as row 11's.
  ['getFriendProfile', 'mm-client-id', 'updateProfile'],
];
for (const [id, name, served = id] of rows)
  test(`${id}: no spec for ${name} stays green when its check is taken out of the service`, async () => {
    service.faults.set(unchecked(served, name));
    forgetMemory(environment.name);
    const found = await results(id, name);
    assert.ok(found.length >= 2, 'there are specs for it');
    for (const { title, verdict } of found) {
      const isOpen = id === 'evaluate' && name === 'mm-user-id' && !title.includes('missing');
      assert.equal(verdict, isOpen ? 'skipped' : 'failed', title);
    }
  });

test('what was refused before is expected to be: a check that is gone is told, with its history', async () => {
  service.faults.set();
  forgetMemory(environment.name);
  for (const { title, verdict } of await results('evaluate', 'app-bundle')) assert.equal(verdict, 'passed', title);
  service.faults.set(unchecked('evaluate', ...headerSets.flag.filter((name) => name.startsWith('app-'))));
  const found = await results('evaluate', 'app-bundle');
  assert.ok(found.length >= 2);
  const history =
    /^failed · learned · .*refused 1 time since .*, accepted since .*; if that is meant, `npx sextant survey --env auth-specs` /;
  for (const result of found) assert.match(told(result), history);
});
