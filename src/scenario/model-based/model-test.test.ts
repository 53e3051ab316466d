import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../../../reference-service/index.ts';
import { drillEnvironment } from '../../drill/drill-environment.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { silent } from '../../verdict/index.ts';
import { World } from '../world/world.ts';
import { runModelTest } from './model-test.ts';
import { setModel } from './models.ts';

test('what breaks is shrunk to the shortest story, and shown with a script that holds no secret', async () => {
  const service = await ownService();
  service.faults.set(...faults.filter(({ name }) => name === 'unblock-does-nothing'));
  const attached = new Map<string, string>();
  const world = new World({
    environment: { ...drillEnvironment(service, { consistencyTimeoutMs: 20 }), requestBudget: 300 },
    observer: { ...silent, attach: (name, text) => void attached.set(name, text) },
    seed: 7,
    runId: 'walk',
  });
  const { message, stack } = await runModelTest(world, setModel('block')).then(
    () => assert.fail('nothing broke'),
    (error: Error) => error,
  );
  await world.close({ verify: 'nothing' });
  assert.match(message, /\(shrunk \d+ times?\):\n/);
  assert.deepEqual(
    [...message.matchAll(/^ {2}\d+\. (.*)$/gm)].map(([, step]) => step?.replace(/caller|friend|stranger/g, 'X')),
    ['the X blocks the X', 'the X unblocks the X'],
  );
  const script = attached.get('counterexample as a script') ?? '';
  assert.equal(attached.size, 1, 'the steps are in the message');
  assert.match(script, /^#!\/bin\/sh\n/);
  assert.match(script, /^# block → 200\ncurl -sS -X POST .*\/v1\/friends\/block' .*bearer \*\*\*/m);
  assert.doesNotMatch(script + stack, /tok_/);
});
