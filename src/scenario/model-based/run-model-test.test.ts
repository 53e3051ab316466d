import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../../../reference-service/index.ts';
import { type Observer, silent } from '../../client/index.ts';
import { drillEnvironment } from '../../fault-injection/drill-environment.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { World } from '../world/world.ts';
import { type ModelTest, runModelTest } from './model-test.ts';
import { setModel, setModelAtOnce } from './models.ts';

const blocks = setModel('block');

const service = await ownService();

/** Runs a walk against the service as it is; returns what it threw, and what it attached. */
async function run<Plan>(modelTest: ModelTest<Plan>, fault?: string) {
  service.faults.set(...faults.filter(({ name }) => name === fault));
  const attached = new Map<string, string>();
  const observer: Observer = { ...silent, attach: (name, text) => void attached.set(name, text) };
  const environment = { ...drillEnvironment(service, { consistencyTimeoutMs: 20 }), requestBudget: 300 };
  const world = new World({ environment, observer, seed: 7, runId: 'walk' });
  const thrown = await runModelTest(world, modelTest).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const leftovers = await world.close({ verify: false });
  return { thrown, attached, leftovers, world };
}

test('the honest service agrees with the model, one after the other and at once', async () => {
  assert.equal((await run(blocks)).thrown, undefined);
  assert.equal((await run(setModelAtOnce('block'))).thrown, undefined);
});

test('what breaks is shrunk to the shortest story, and shown with a script that holds no secret', async () => {
  const { thrown, attached } = await run(blocks, 'unblock-does-nothing');
  assert.match(thrown?.message ?? '', /\(shrunk \d+ times?\):\n {2}1\. .*\n {2}2\. .*$/);
  const steps = thrown?.message ?? '';
  assert.deepEqual(
    [...steps.matchAll(/^ {2}\d+\. (.*)$/gm)].map(([, step]) => step?.replace(/caller|friend|stranger/g, 'X')),
    ['the X blocks the X', 'the X unblocks the X'],
  );
  const script = attached.get('counterexample as a script') ?? '';
  assert.equal(attached.size, 1, 'the steps are in the message');
  assert.match(script, /^#!\/bin\/sh\n/);
  assert.match(script, /^# block → 200\ncurl -sS -X POST .*\/v1\/friends\/block' .*bearer \*\*\*/m);
  assert.doesNotMatch(script + thrown?.stack, /tok_/);
});
