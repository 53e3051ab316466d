import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import type { ConnectionFailure } from '../../client/index.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import { failingAlike } from './failing-alike.ts';

async function listening(): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as { port: number }).port, server };
}

const failed = (phase: ConnectionFailure['phase'], code: string) => {
  const { response: _, ...call } = fakeExchange();
  return fakeResult('unreachable', 0, { failing: { ...call, failure: { phase, code, side: 'service', reason: 'x' } } });
};

test('which addresses fail like the one that failed', async (t) => {
  const silent = await listening();
  t.after(() => silent.server.close());
  const gone = await listening();
  gone.server.close();
  await once(gone.server, 'close');
  const at = (text: string) => new URL(text);
  const [refused, open, secure, unknown] = [
    at(`http://127.0.0.1:${gone.port}/`),
    at(`http://127.0.0.1:${silent.port}/`),
    at(`https://127.0.0.1:${silent.port}/`),
    at('http://name.invalid/'),
  ];
  const addresses = Object.fromEntries(areaIds.map((area) => [area, open])) as Record<AreaId, URL>;
  Object.assign(addresses, { friends: refused, stories: refused, gameDesign: secure, profile: unknown });
  const found = await failingAlike(failed('connect', 'ECONNREFUSED'), { addresses });
  assert.deepEqual(found, { phase: 'connect', code: 'ECONNREFUSED', areas: ['friends', 'stories'] });

  Object.assign(addresses, { friends: secure });
  const silentTls = await failingAlike(failed('tls', 'DEADLINE'), { addresses }, 100);
  assert.deepEqual(silentTls?.areas, ['friends', 'gameDesign']);

  const uncalled = fakeResult('unreachable', 0);
  const { failing: _, ...without } = uncalled;
  Object.assign(addresses, { friends: refused });
  assert.equal((await failingAlike(without, { addresses }))?.code, 'ECONNREFUSED');
});
