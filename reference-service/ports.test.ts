import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { areaIds } from '../src/service/index.ts';
import { freePortsInARow } from '../src/testing/programs/run-command.ts';
import { PortTaken, startService } from './index.ts';
import { assertDifferent, portsFrom } from './ports.ts';

test('ports in a row: the areas in the catalogue’s order, then the provisioner', () => {
  const ports = portsFrom(5_000);
  assert.deepEqual(Object.keys(ports), [...areaIds, 'provisioner']);
  assert.deepEqual(
    Object.values(ports),
    Object.keys(ports).map((_, index) => 5_000 + index),
  );
  assert.deepEqual(new Set(Object.values(portsFrom(0))), new Set([0]));
});

test('two parts on one port are refused by their keys; free ports are not', () => {
  const ports = portsFrom(5_000);
  assertDifferent(ports);
  assertDifferent(portsFrom(0));
  assert.throws(() => assertDifferent({ ...ports, storage: ports.provisioner }), {
    name: 'PortTaken',
    message: `STORAGE_URL and PROVISION_URL name the same port, ${ports.provisioner}. Give each one that is free.`,
  });
});

test('each part listens on its port, in any order of ports', async () => {
  const port = await freePortsInARow();
  const service = await startService({ port: { ...portsFrom(0), stories: port } });
  try {
    assert.equal(service.addresses.stories, `http://127.0.0.1:${port}`);
    assert.equal((await fetch(`${service.provisionUrl}/health`)).status, 200);
  } finally {
    await service.stop();
  }
  const twice = { ...portsFrom(0), stories: port, storage: port };
  await assert.rejects(startService({ port: twice }), PortTaken);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = new RegExp(`^PortTaken: Port ${port} on 127\\.0\\.0\\.1 is already in use\\..*$`);
  await assert.rejects(startService({ port: { ...portsFrom(0), stories: port } }), taken);
  server.close();
});
