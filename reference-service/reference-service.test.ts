import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { OperationId } from '../src/service/index.ts';
import { ownFolder } from '../src/testing/own-folder.ts';
import { startCommand, until } from '../src/testing/programs/run-command.ts';
import { asCaller, type CallOptions, callService } from '../src/testing/servers/call-service.ts';
import { assumed } from './assumptions/values.ts';
import { seeded, startService } from './index.ts';

const service = await startService({ port: 0 });
after(() => service.stop());

const call = (id: OperationId, options?: CallOptions) => callService(service, id, options);

const clone = {
  FromClientId: seeded.source.clientId,
  TypeName: seeded.source.typeName,
  TypeVersion: '2',
  Files: [],
  IsSetDefaultTypeVersion: false,
};
const report = { storyId: seeded.story, reports: ['SPAM'], message: 'm' };

const { invalidBody, notFound } = assumed;
const [wrongType, long] = [{ ...asCaller, 'content-type': 'text/csv' }, 'x'.repeat(3_000)];

/**
 * Requests that no survey sends, and that this service refuses by assumption, because the specification doesn't say how to treat them.
 * Surveys in other tests check the remaining assumptions.
 */
const refused: [what: string, status: number, code: string, id: OperationId, options: CallOptions][] = [
  ['broken JSON', invalidBody, 'invalid_json', 'block', { body: '{"friendId":' }],
  ['an empty body', invalidBody, 'invalid_json', 'block', { body: '' }],
  ['a forbidden key', invalidBody, 'invalid_json', 'block', { body: '{"friendId":"a","__proto__":{"x":1}}' }],
  ['2 MB', assumed.bodyTooLarge, 'body_too_large', 'report', { body: { ...report, message: long.repeat(700) } }],
  ['CSV', assumed.unsupportedMediaType, 'unsupported_media_type', 'block', { body: 'a', headers: wrongType }],
  ['an unknown type', notFound, 'unknown_type', 'cloneType', { body: { ...clone, TypeName: 'nobody' } }],
  ['a language of every object', notFound, 'unknown_language', 'reportOptions', { path: '/v1/reports/opt/__proto__' }],
  ['segments of letters', invalidBody, 'invalid_page', 'listBlocked', { path: '/v1/friends/block/a/b' }],
  ['an unknown path', notFound, 'unknown_path', 'block', { path: '/v1/nothing', method: 'GET' }],
  ['a long path', assumed.pathTooLong, 'path_too_long', 'deleteItem', { path: `/v1/features/story/${long}` }],
];

for (const [what, status, code, id, options] of refused) {
  test(`${what} gets ${status} ${code} in the one error body`, async () => {
    const response = await call(id, options);
    assert.equal(response.status, status);
    assert.equal(response.json.error.code, code);
    assert.equal(response.json.error.requestId, response.headers.get('x-request-id'));
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  });
}

test('the provisioner refuses what makes no sense', async () => {
  const response = await fetch(`${service.provisionUrl}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"count":0}',
  });
  assert.equal(response.status, 400);
});

test('a caller that breaks off in the middle of a body is no failure of the service', async (t) => {
  const said = t.mock.method(process.stderr, 'write', () => true);
  const { port, origin } = new URL(service.addresses.friends);
  const socket = connect(Number(port), '127.0.0.1');
  const head = Object.entries({
    ...asCaller,
    host: origin,
    'content-type': 'application/json',
    'content-length': '100',
  });
  socket.write(`POST /v1/friends/block HTTP/1.1\r\n${head.map((each) => `${each.join(': ')}\r\n`).join('')}\r\n{"fr`);
  // The response to this later request shows that the service has read the beginning of the unfinished request.
  await call('listBlocked', { path: '/v1/friends/block/0/10' });
  socket.destroy();
  await once(socket, 'close');
  await call('listBlocked', { path: '/v1/friends/block/0/10' });
  assert.deepEqual(
    said.mock.calls.map(({ arguments: [text] }) => String(text)),
    [],
  );
});

test('a state file survives a kill and a restart', async () => {
  const data = join(ownFolder(), 'state.db');
  const killed = startCommand(['serve', '--port', '0', '--data', data]);
  await until(() => killed.said().includes('Ready'), killed);
  const [, friends = ''] = /^Friends\s+(\S+)/m.exec(killed.said()) ?? [];
  const headers = { ...asCaller, 'content-type': 'application/json' };
  const response = await fetch(`${friends}/v1/friends/block`, { method: 'POST', headers, body: '{"friendId":"kept"}' });
  assert.equal(response.status, 200);
  killed.child.kill('SIGKILL');
  await killed.ended;

  const again = await startService({ port: 0, data });
  const { json } = await callService(again, 'listBlocked', { path: '/v1/friends/block/0/10' });
  assert.deepEqual(
    (json as { userId: string }[]).map(({ userId }) => userId),
    ['kept'],
  );
  await again.stop();
});
