import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../../reference-service/index.ts';
import { startCommand } from '../testing/programs/run-command.ts';
import { CTRL_C, Terminal } from '../testing/programs/terminal.ts';
import { asCaller } from '../testing/servers/call-service.ts';
import { environmentText } from '../testing/test-environment.ts';

/** Forwards all requests to `base`, but never answers a list. */
async function listless(base: string) {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void server.emit('list');
    const body = Buffer.concat(await request.toArray());
    const headers = { ...(request.headers as Record<string, string>) };
    for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) delete headers[name];
    const answer = await fetch(`${base}${request.url}`, { method: request.method ?? 'POST', headers, body });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('Ctrl-C in the middle of a test takes its change back, and calls neither it nor the rest passed or failed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-interrupted-'));
  const service = await startService({ port: 0 });
  const { server, url } = await listless(service.addresses.friends);
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  mkdirSync(join(folder, 'environments'));
  const keys = { FRIEND_USER_ID: 'user-ben', ALLOWED_EFFECTS: 'read,reversible', REQUEST_TIMEOUT_MS: 60_000 };
  const text = environmentText({ ...service.addresses, friends: url }, keys);
  writeFileSync(join(folder, 'environments', 'own.env'), text);
  const output = join(folder, 'output');
  const env = { SEXTANT_ENVIRONMENTS: join(folder, 'environments'), SEXTANT_OUTPUT: output, CI: '' };

  const hasAsked = once(server, 'list');
  const args = ['test', '--env', 'own', '--grep', 'block, then list, then unblock|love, then unlove'];
  const terminal = new Terminal(args, env);
  t.after(() => terminal.kill());
  await hasAsked;
  await terminal.answers(/0\/2 · /, CTRL_C);

  assert.equal(await terminal.ended, 130, terminal.said);
  assert.match(terminal.said, / {2}2 skipped \([\d.]+ s\)$/m);
  assert.match(terminal.said, /^ {2}The run was interrupted\.$/m);
  assert.match(terminal.said, /^ {2}skipped 1 × the run was interrupted during this test$/m);
  assert.match(terminal.said, /^ {2}skipped 1 × the run ended before this test started$/m);
  assert.doesNotMatch(terminal.said, /own › /, 'a test is shown as failed');
  const read = (name: string) => JSON.parse(readFileSync(join(output, name), 'utf8'));
  const { passed, failed, unknown, skipped } = read('summary.json');
  assert.deepEqual({ passed, failed, unknown, skipped }, { passed: 0, failed: 0, unknown: 0, skipped: 2 });
  assert.match(readFileSync(join(output, 'summary.md'), 'utf8'), /^The run was interrupted\.$/m);
  const results = readdirSync(join(output, 'allure-results')).filter((name) => name.endsWith('-result.json'));
  const statuses = results.map((name) => read(join('allure-results', name)).status);
  assert.deepEqual(statuses, ['skipped', 'skipped']);

  const list = await fetch(`${service.addresses.friends}/v1/friends/block/0/100`, { headers: asCaller });
  assert.equal(await list.text(), '[]');
  const undo = startCommand(['undo', '--env', 'own'], env);
  assert.equal(await undo.ended, 0);
  assert.equal(undo.said(), 'own: nothing to undo.\n');
});
