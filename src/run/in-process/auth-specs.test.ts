import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/index.ts';
import { Secret } from '../../redaction/index.ts';
import { type HeaderName, headerSets, type OperationId } from '../../service/index.ts';
import { resultText } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment, factsOf } from '../../testing/test-environment.ts';
import { acceptingCommand, driftsOf, runScenario, type ScenarioResult, scenarios } from '../index.ts';

const service = await ownService();
const environment = embeddedEnvironment(service, { name: 'auth-specs' });
const runId = randomUUID();
const OUR_OWN = 'expected success (2xx), got 401 Unauthorized';
const specs = await scenarios('auth');

/** Runs the auth specs for one header of one operation, and returns their results. */
function results(id: OperationId, name: HeaderName, at = environment, run = runId): Promise<ScenarioResult[]> {
  const begin = `${id} with ${name === 'authorization' ? 'Authorization' : name} `;
  const found = specs.filter(({ title }) => title.startsWith(begin));
  return Promise.all(found.map((spec) => runScenario(spec, { environment: at, seed: begin, runId: run })));
}

const unchecked = (operation: OperationId, ...headers: HeaderName[]): Fault => ({
  name: `${operation} ignores ${headers}`,
  operation,
  unchecked: headers,
});

// If the service doesn't check a header, all specs for that header must fail. This test tries one operation with each kind of header. The
// drill tries every operation, but accepts a fault as found if only one of the specs fails.
const rows: [id: OperationId, name: HeaderName, served?: OperationId][] = [
  ['block', 'authorization'],
  ['cloneType', 'mm-api-key'],
  ['listBlocked', 'mm-user-id'],
  // The specs can't find out whose flag a request evaluates. So they accept that the service takes an unknown user, and insist only on the
  // refusal of a missing header.
  ['evaluate', 'mm-user-id'],
  ['evaluate', 'app-ver'],
  // Rows 11 and 12 of the specification are the same request. The reference service handles it as row 11, `updateProfile`.
  ['getFriendProfile', 'mm-client-id', 'updateProfile'],
];
for (const [id, name, served = id] of rows)
  test(`${id}: no spec for ${name} stays green when its check is taken out of the service`, async () => {
    service.faults.set(unchecked(served, name));
    const found = await results(id, name);
    assert.ok(found.length >= 2, 'there are specs for it');
    for (const { title, verdict } of found) {
      const isOpen = id === 'evaluate' && name === 'mm-user-id' && !title.includes('missing');
      assert.equal(verdict, isOpen ? 'skipped' : 'failed', title);
    }
  });

test('a valid request that is refused for our own credential is red, and shows its call; refused in another way, it proves nothing', async () => {
  const revoked = { ...environment, caller: { ...environment.caller, apiKey: new Secret('revoked-key') } };
  for (const id of ['evaluate', 'cloneType'] as const) {
    const found = await results(id, 'mm-client-id', revoked, randomUUID());
    assert.ok(found.length >= 2);
    for (const result of found) assert.match(resultText(result), /^refused · /);
    const met = found.filter(({ failing }) => failing);
    assert.ok(met.length > 0);
    for (const { failing, curl, reason } of met)
      assert.deepEqual([failing?.response?.status, /^curl /.test(curl ?? ''), reason], [401, true, OUR_OWN]);
  }
  const respond: Fault['respond'] = () => (response) => ({ ...response, status: Math.max(response.status, 409) });
  service.faults.set({ name: 'conflicts', operation: 'evaluate', respond });
  for (const result of await results('evaluate', 'app-platform', environment, randomUUID()))
    assert.match(resultText(result), /^skipped · unproven: the valid request is not accepted either/);
});

test('what a fact says is refused, and is not any more, has drifted, with the command that takes it', async () => {
  const facts = factsOf(
    'evaluate missing-header:app-bundle: refused with 400',
    'evaluate empty-header:app-bundle: refused with 400',
  );
  const known = { ...environment, facts };
  service.faults.set(unchecked('evaluate', ...headerSets.flag.filter((name) => name.startsWith('app-'))));
  const found = await results('evaluate', 'app-bundle', known);
  assert.ok(found.length >= 2);
  for (const result of found) {
    assert.match(
      resultText(result),
      /^drifted · learned · evaluate · Feature toggles: evaluate accepts an? .* \(it refused it with 400 on/,
    );
    const command = /^npx sextant survey --env auth-specs --update --only 'evaluate \w+-header:app-bundle'$/;
    assert.match(acceptingCommand(environment.name, driftsOf(result)) ?? '', command);
  }
});
