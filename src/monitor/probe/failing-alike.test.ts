import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { ConnectionFailure } from '../../client/index.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import { listening } from '../../testing/servers/listening.ts';
import { failingAlike, recentLooks } from './failing-alike.ts';

const tcpServer = () => createServer((socket) => socket.on('error', () => {}));

const failed = (phase: ConnectionFailure['phase'], code: string) => {
  const { response: _, ...call } = fakeExchange();
  return fakeResult('unreachable', 0, { failing: { ...call, failure: { phase, code, side: 'service', reason: 'x' } } });
};

test('which addresses fail like the one that failed', async (t) => {
  const silent = await listening(tcpServer());
  t.after(silent.stop);
  const gone = await listening(tcpServer());
  await gone.stop();
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

  const onHost = (name: string, url: URL) => ({
    name,
    addresses: Object.fromEntries(areaIds.map((area) => [area, url])) as Record<AreaId, URL>,
  });
  const elsewhere = at(`http://localhost:${gone.port}/`);
  const others = [onHost('refused', at(`${refused}path/`)), onHost('open', open), onHost('elsewhere', elsewhere)];
  const named = await failingAlike(failed('connect', 'ECONNREFUSED'), { addresses }, others);
  assert.deepEqual(named?.others, ['refused']);

  Object.assign(addresses, { friends: secure });
  const silentTls = await failingAlike(failed('tls', 'DEADLINE'), { addresses }, [], recentLooks(100));
  assert.deepEqual(silentTls?.areas, ['friends', 'gameDesign']);

  const uncalled = fakeResult('unreachable', 0);
  const { failing: _, ...without } = uncalled;
  Object.assign(addresses, { friends: refused });
  assert.equal((await failingAlike(without, { addresses }))?.code, 'ECONNREFUSED');
});

test('an address is connected to once for all who ask at the same time, and again two seconds later', async (t) => {
  const server = tcpServer();
  const { url: origin, stop } = await listening(server);
  t.after(stop);
  let connections = 0;
  server.on('connection', () => connections++);
  let now = 0;
  const look = recentLooks(5_000, () => now);
  await Promise.all([1, 2, 3].map(() => look(origin, 'connect')));
  now = 1_999;
  await look(origin, 'processing');
  now = 2_000;
  assert.equal(await look(origin, 'connect'), undefined);
  while (connections < 2) await new Promise(setImmediate);
  assert.equal(connections, 2);
});
