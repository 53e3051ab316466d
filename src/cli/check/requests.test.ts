import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { ownEnvironments } from '../../testing/own-folder.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { listening } from '../../testing/servers/listening.ts';
import { environmentText } from '../../testing/test-environment.ts';

let seen = 0;
const { url, stop } = await listening(
  createServer((_, response) => {
    seen++;
    response.statusCode = 500;
    response.setHeader('content-type', 'application/json').end('{"error":"database is down"}');
  }),
);
after(stop);

test('a check of a service where everything is 500 counts what the service saw, and names the areas and what they say', async () => {
  const { env } = ownEnvironments({ own: environmentText(url, { ALLOWED_EFFECTS: 'read,reversible' }) });
  Object.assign(process.env, env);
  const { code, out } = await runInProcess(['check', '--env', 'own', '--yes']);
  assert.equal(code, 1, out);
  // The expected number includes the requests with which Sextant undoes changes that the service may have made.
  assert.match(out, new RegExp(`, ${seen} requests in `), out);
  assert.match(
    out,
    /^Friends, Stories and Feature toggles answer 500 \(\d+ scenarios\)\n {2}\{"error":"database is down"\}$/m,
  );
});

test('attempts without a connection are no requests, and leave no scenario out for what nobody answered', async () => {
  const keys = { ALLOWED_EFFECTS: 'read,reversible', FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}' };
  const { env } = ownEnvironments({ own: environmentText('http://127.0.0.1:1', keys) });
  Object.assign(process.env, env);
  const { code, out } = await runInProcess(['check', '--env', 'own', '--yes']);
  assert.equal(code, 1, out);
  assert.match(out, /, 0 requests, \d+ attempts without a connection in /, out);
  assert.match(
    out,
    /GET \/v1\/profile\/\{userId\} gave no response \(connection refused\), so the profile could not/,
    out,
  );
});
