import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Environment } from '../../../environment/index.ts';
import { areaIds } from '../../../service/index.ts';
import { certificateFor } from '../../../testing/servers/certificate.ts';
import { rawResponse, startRawServer } from '../../../testing/servers/raw-server.ts';
import { environmentText, loadText } from '../../../testing/test-environment.ts';
import { pingAll } from './harmless-requests.ts';

let connections = 0;
const listener = await startRawServer({
  onSocket: (socket) => {
    connections++;
    socket.destroy();
  },
});
after(() => listener.stop());

const environment = loadText('pinged', environmentText(`http://127.0.0.1:${listener.port}`));
const at = (url: string) =>
  Object.fromEntries(areaIds.map((area) => [area, new URL(`${url}/${area}/`)])) as Environment['addresses'];

test('a ping asks each address once, without credentials, and distinguishes silence from an answer', async () => {
  const pings = await pingAll({ ...environment, addresses: at(`http://127.0.0.1:${listener.port}`) });
  assert.equal(connections, areaIds.length);
  for (const { failure } of pings.values()) assert.equal(failure?.code, 'ECONNRESET');
});

test('a ping says when a certificate ends', async (t) => {
  const own = certificateFor('127.0.0.1', 10);
  const server = await startRawServer({ onRequest: (socket) => void socket.end(rawResponse('404 Not Found')) }, own);
  t.after(() => server.stop());
  const url = new URL(`https://127.0.0.1:${server.port}/`);
  const addresses = Object.fromEntries(areaIds.map((area) => [area, url])) as Environment['addresses'];
  const route = { proxyFor: () => undefined, pins: [], tls: { ca: own.cert } };
  const [ping, ...none] = new Set((await pingAll({ ...environment, addresses, route })).values());
  assert.deepEqual(none, []);
  assert.equal(ping?.response?.status, 404);
  assert.match(String(Number(ping.certificateValidTo) - Date.now()), /^8\d{8}$/);
  assert.equal(server.requests.length, 1);
  assert.match(server.requests[0]?.head ?? '', /^HEAD (?!.*^(authorization|mm-api-key):)/ims);
  const [untrusted] = (await pingAll({ ...environment, addresses })).values();
  assert.match(untrusted?.failure?.code ?? '', /SELF_SIGNED|UNABLE_TO_VERIFY/);
});
