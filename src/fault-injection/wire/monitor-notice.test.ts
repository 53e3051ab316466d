import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whileServing } from '../../../reference-service/index.ts';
import { monitoredTitles, runMonitor, titled } from '../../testing/monitor/watched-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { wireFaults } from './faults.ts';
import { FaultyWire } from './faulty-wire.ts';
import { startProxy } from './proxy.ts';

test('a fault on the wire of a monitor leads to a notice, and its end to another', async () => {
  const received = await whileServing({ port: 0, quiet: true }, async (service) => {
    const wire = new FaultyWire({ environment: embeddedEnvironment(service) });
    const proxy = await startProxy(service, wire.variant);
    const environment = embeddedEnvironment(proxy, { name: 'made', consistencyTimeoutMs: 50 });
    const { people, end } = await runMonitor([environment], await titled(monitoredTitles), { everyMs: 300 });
    try {
      wire.fault = wireFaults().find(({ name }) => name === 'unblock-does-nothing');
      await people.until(1);
      wire.fault = undefined;
      await people.until(2);
      return people.received;
    } finally {
      await end();
      await proxy.stop();
    }
  });
  const [down, up] = received.map(({ body }) => JSON.parse(body));
  assert.deepEqual([down.kind, up.kind, up.incident], ['down', 'up', down.incident]);
  const headline =
    'made: Friends: listBlocked breaks “the list no longer mentions a friend just unblocked” (1 scenario)';
  assert.deepEqual([down.headline, down.scenarios[0].grade], [headline, 'documented']);
  assert.match(down.scenarios[0].reason, /no longer mentions a friend just unblocked/);
});
