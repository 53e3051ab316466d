import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { whileServing } from '../../../reference-service/index.ts';
import { webhook } from '../../monitor/alerting/channels/webhook.ts';
import { startMonitor } from '../../monitor/start.ts';
import { scenarios } from '../../runner/index.ts';
import { quickSettings, temporaryFolder } from '../../testing/monitor/fakes.ts';
import { receiver } from '../../testing/monitor/receiver.ts';
import { monitoredTitles } from '../../testing/monitor/watched-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { wireFaults } from './faults.ts';
import { FaultyWire } from './faulty-wire.ts';
import { startProxy } from './proxy.ts';

test('a fault on the wire of a monitor leads to a notice, and its end to another', async (t) => {
  const { path, end } = temporaryFolder();
  const people = await receiver();
  t.after(() => {
    people.end();
    end();
  });
  await whileServing({ port: 0, quiet: true }, async (service) => {
    const wire = new FaultyWire({ environment: embeddedEnvironment(service) });
    const proxy = await startProxy(service, wire.variant);
    const environment = embeddedEnvironment(proxy, { name: 'made', consistencyTimeoutMs: 50 });
    const settings = quickSettings(join(path, 'data'), {
      everyMs: 300,
      channels: new Map([['webhook', webhook.open({ WEBHOOK_URL: people.url })]]),
    });
    const chosen = (await scenarios()).filter(({ title }) => monitoredTitles.includes(title));
    const monitor = await startMonitor({ environments: [environment], scenarios: chosen, settings, say: () => {} });
    try {
      wire.fault = wireFaults().find(({ name }) => name === 'unblock-does-nothing');
      await people.until(1);
      wire.fault = undefined;
      await people.until(2);
    } finally {
      await monitor.stop();
      await proxy.stop();
    }
  });
  const [down, up] = people.received.map(({ body }) => JSON.parse(body));
  assert.deepEqual([down.kind, up.kind, up.incident], ['down', 'up', down.incident]);
  assert.match(down.scenarios[0].reason, /no longer mentions a friend just unblocked/);
});
