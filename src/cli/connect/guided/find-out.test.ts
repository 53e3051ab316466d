import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded, serviceReadings } from '../../../../reference-service/index.ts';
import type { Environment } from '../../../config/index.ts';
import { areaIds } from '../../../spec/index.ts';
import {
  answering,
  answersFor,
  assertOnlyReads,
  at,
  environments,
  played,
} from '../../../testing/programs/guided-start.ts';
import { ownService } from '../../../testing/servers/own-service.ts';
import { certificateFor } from '../../../testing/servers/tls-misbehaviours.ts';
import { strangers } from '../../../testing/survey/strangers/index.ts';
import { withStranger } from '../../../testing/survey/strangers/stranger.ts';
import { environmentText } from '../../../testing/test-environment.ts';

const service = await ownService();

for (const [name, stranger] of Object.entries(strangers))
  test(`a service that the suite wasn't made with, ${name}: tried and written by reading alone`, async () => {
    await withStranger(stranger, async (known) => {
      const own = { ...stranger.keys };
      const text = environmentText(known.addresses.friends.href, { ...own, SUCCESS_WHEN: undefined });
      const { code, arrived, said, environment } = await played(answersFor(text));
      assert.equal(code, 0, said);
      assert.match(said, new RegExp(`${areaIds.length} areas reached`), said);
      assertOnlyReads(arrived);
      // What the team would have written into the file was found out.
      assert.deepEqual(environment.successWhen, known.successWhen, said);
      assert.deepEqual([...environment.allowedEffects], ['read']);
    });
  });

test('a service whose status is always 200: SUCCESS_WHEN is found out, and a wrong token is not taken for an accepted one', async () => {
  service.faults.set(...serviceReadings.successRule.body.changes('all'));
  const text = environmentText(service.addresses, { ACCESS_TOKEN: undefined });
  const wrong = (times: number) => (times === 1 ? 'canary-wrong-0123456789' : seeded.caller.accessToken);
  const script = {
    ...answersFor(text),
    ACCESS_TOKEN: wrong,
    'What now?': (times: number) => (times === 1 ? 'ACCESS_TOKEN' : 'on'),
  };
  const { said, environment, arrived } = await played(script);
  assert.match(
    said,
    /friends and stories 200, but its body reads like a refusal \(\/done is false\): check ACCESS_TOKEN/,
  );
  assert.match(said, new RegExp(`${areaIds.length} areas reached`));
  assert.equal(environment.successWhen?.text, '/done=true');
  assert.match(
    readFileSync(join(environments, 'mine.env'), 'utf8'),
    /found out by reading when this file was made\nSUCCESS_WHEN=\/done=true/,
  );
  assert.doesNotMatch(said, /canary/);
  assertOnlyReads(arrived);
});

const odd: [name: string, handle: Parameters<typeof answering>[0], said: RegExp, written?: Partial<Environment>][] = [
  [
    'a captive portal',
    () => ({ status: 200, type: 'text/html', body: '<html>log in</html>' }),
    /answers with a page instead of JSON \(200\).*\n.*Every address answers with a page: a login page or a captive portal/s,
  ],
  [
    'a prefix that is missing',
    () => ({ status: 404, type: 'text/plain', body: 'no' }),
    /no such path \(404\): \/v1\/friends\/block\/0\/100.*the addresses probably lack a prefix/s,
  ],
  [
    'a gateway without a service',
    () => ({ status: 502, body: '{}' }),
    /a gateway answers without the service \(502\): check that the service is running/,
  ],
  [
    'a redirect to a login',
    () => ({ status: 302, headers: { location: 'https://login.test/?next=canary-query' } }),
    /redirects \(302\) to https:\/\/login\.test\/: put the address that serves the API itself into FRIEND_URL/,
  ],
  [
    'a service that checks no credentials',
    () => ({ status: 200, body: '[]' }),
    /The same read is answered without its token, too: it is not checked there/,
  ],
  [
    'plain-text refusals, and a list in a cache',
    () => ({ status: 200, body: '[]', headers: { 'cache-control': 'public, max-age=30' } }),
    /The block list is cached for 30 s, so it may lag behind a change for as long/,
  ],
  [
    'segments that are refused',
    (path) =>
      path.includes('/block/0/') ? { status: 400, body: '{"error":"page from 1"}' } : { status: 200, body: '[]' },
    /The block list refuses 0\/100, and accepts 1\/100/,
    { blockListSegments: { n1: '1', n2: '100' } },
  ],
];
for (const [name, handle, pattern, written = {}] of odd)
  test(`${name} is explained`, async () => {
    const { url, stop } = await answering(handle);
    try {
      const { said, code, arrived, environment } = await played(answersFor(at(url)));
      assert.equal(code, 0);
      assert.match(said, pattern, said);
      assert.doesNotMatch(said, /canary/);
      // What was found out is written, and loads.
      assert.partialDeepStrictEqual(environment, written);
      assertOnlyReads(arrived);
    } finally {
      stop();
    }
  });

test('a self-signed certificate and a dead port, each with its cure', async () => {
  const server = https.createServer(certificateFor('127.0.0.1', 90), (_, response) => response.end('[]'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { said } = await played({ ...answersFor(at(url)), STORY_URL: 'http://127.0.0.1:1' }, { env: {} });
    assert.match(
      said,
      /friends, gameDesign, profile, features and storage unreachable \(the certificate is self-signed\): trust the authority that signed it: NODE_EXTRA_CA_CERTS/,
    );
    assert.match(said, /stories unreachable \(connection refused\): check the port in STORY_URL/);
  } finally {
    server.close();
  }
});
