import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { parse } from 'dotenv';
import { seeded, serviceReadings, startService } from '../../../reference-service/index.ts';
import { loadEnvironment } from '../../config/index.ts';
import { areaIds, areas, operation, operationIds } from '../../spec/index.ts';
import { Arrivals } from '../../testing/arrivals.ts';
import { postmanCollectionText } from '../../testing/import/exports.ts';
import { type Script, ScriptedAsker } from '../../testing/scripted-asker.ts';
import { strangers } from '../../testing/survey/strangers/index.ts';
import { withStranger } from '../../testing/survey/strangers/stranger.ts';
import { environmentText } from '../../testing/test-environment.ts';
import { certificateFor } from '../../testing/tls-misbehaviours.ts';
import { newEnvironment } from './new-environment.ts';
import { Stopped } from './prompts/asker.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-new-'));
const environments = join(folder, 'environments');
Object.assign(process.env, {
  SEXTANT_ENVIRONMENTS: environments,
  SEXTANT_SURVEYS: join(folder, 'surveys'),
  SEXTANT_OBSERVED: join(folder, 'observed'),
});
beforeEach(() => {
  rmSync(environments, { recursive: true, force: true });
  mkdirSync(environments);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const arrivals = new Arrivals();

/** The answers for a service, from the text of an environment's file. */
function answersFor(text: string): Script {
  return parse(text);
}

/** All at one address. */
const at = (url: string) => environmentText(url);

/** Plays the guided start; gives what was said, the environment that came of it, and what arrived meanwhile. */
async function played(script: Script, options: Parameters<typeof newEnvironment>[1] = {}) {
  const asker = new ScriptedAsker({ 'What now?': 'on', ...script });
  let code = -1;
  const all = await arrivals.during(async () => {
    code = await newEnvironment('mine', { asker, env: {}, ...options });
  });
  // The dry run plays on an embedded service of this process.
  const environment = loadEnvironment('mine', { processEnvironment: {} });
  const ports = areaIds.map((area) => Number(environment.addresses[area].port));
  const arrived = all.filter(({ port }) => ports.includes(port));
  return { code, arrived, said: asker.said, environment };
}

/** Whatever is asked, only reads are sent, and heads. */
function assertOnlyReads(arrived: Arrivals['all']): void {
  const reads = operationIds.map(operation).filter(({ effect }) => effect === 'read');
  const patterns = reads.map(({ method, path }) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const others = arrived.filter(
    ({ method, path }) =>
      method !== 'HEAD' && method !== 'GET' && !patterns.some((pattern) => pattern.test(`${method} ${path}`)),
  );
  assert.deepEqual(others, []);
}

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
  const service = await startService({ port: 0, quiet: true });
  try {
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
  } finally {
    await service.stop();
  }
});

/** A server for all areas that answers in one way. */
async function answering(
  handle: (path: string) => { status: number; type?: string; body?: string; headers?: Record<string, string> },
) {
  const server = createServer((request, response) => {
    const { status, type = 'application/json', body = '', headers = {} } = handle(request.url ?? '');
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

const odd: [name: string, handle: Parameters<typeof answering>[0], said: RegExp][] = [
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
  ],
];
for (const [name, handle, pattern] of odd)
  test(`${name} is explained`, async () => {
    const { url, stop } = await answering(handle);
    try {
      const { said, code, arrived } = await played(answersFor(at(url)));
      assert.equal(code, 0);
      assert.match(said, pattern, said);
      assert.doesNotMatch(said, /canary/);
      assertOnlyReads(arrived);
    } finally {
      stop();
    }
  });

test('what was found out is written, and loads', async () => {
  const { url, stop } = await answering((path) =>
    path.includes('/block/0/') ? { status: 400, body: '{}' } : { status: 200, body: '[]' },
  );
  try {
    const { environment } = await played(answersFor(at(url)));
    assert.deepEqual(environment.blockListSegments, { n1: '1', n2: '100' });
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

test('from a collection: only what it lacks is asked for, and no secret is shown', async () => {
  const file = join(folder, 'qa.json');
  writeFileSync(file, postmanCollectionText());
  const { said, environment } = await played(
    { ...answersFor(at('https://api.qa.test/')), 'Try it now?': 'no', USER_ID: 'never asked for' },
    { from: [file] },
  );
  assert.equal(environment.caller.userId, 'user-qa');
  assert.match(said, /a Postman collection \(v2\.1\): took ACCESS_TOKEN, API_KEY, .*FRIEND_URL/);
  assert.doesNotMatch(said, /\? (USER_ID|FRIEND_URL|ACCESS_TOKEN)\b/);
  assert.match(said, /left out: host is not a recognised key/);
  assert.doesNotMatch(said, /canary/);
  assert.equal(
    areaIds.every((area) => environment.addresses[area].href.startsWith('https://api.qa.test/')),
    true,
    areas.friends.title,
  );
});

test('a source that can’t be used gets a line, and the questions go on', async () => {
  const script = { ...answersFor(at('http://127.0.0.1:1')), 'Try it now?': 'no' };
  const { said } = await played({
    ...script,
    'A file with requests or variables, or a curl command': '/nowhere/at/all',
    'Another one': (times) =>
      times === 1 ? "curl 'http://127.0.0.1:1/v1/friends/block/3/7' -H 'mm-user-id: user-of-curl'" : '',
  });
  assert.match(said, /\/nowhere\/at\/all \(the file to import\) is missing/);
  assert.match(said, /a curl command: took .*BLOCK_LIST_SEGMENTS/);
});

test('one that exists is changed with what it has as suggestions, or left alone', async () => {
  const own = join(environments, 'mine.env');
  writeFileSync(own, `${environmentText('http://127.0.0.1:1', { STORY_ID: 'kept', MAX_CONCURRENCY: 3 })}NONSENSE=1\n`);
  const before = readFileSync(own, 'utf8');
  const question = Object.fromEntries([[`${own} exists already.`, 'stop']]);
  const stopped = new ScriptedAsker(question);
  assert.equal(await newEnvironment('mine', { asker: stopped, env: {} }), 130);
  assert.match(stopped.said, /Nothing was written/);
  assert.equal(readFileSync(own, 'utf8'), before);
  const { environment, said } = await played({ USER_ID: 'another', 'Try it now?': 'no' }, { force: true });
  assert.deepEqual(
    [environment.caller.userId, environment.data.storyId, environment.rateLimits?.maxConcurrency],
    ['another', 'kept', 3],
  );
  assert.match(said, /left out: NONSENSE is not a recognised key/);
});

test('stopped after the file was written, what was entered is there, and loads', async () => {
  const { url, stop } = await answering(() => ({ status: 401 }));
  try {
    const script = {
      ...answersFor(at(url)),
      'What now?': () => {
        throw new Stopped('Ctrl-C');
      },
    };
    const { code, said, environment } = await played(script);
    assert.equal(code, 130);
    assert.match(
      said,
      /Stopped\. .*mine\.env and .*mine\.secret\.env hold what was entered; npx sextant environments new mine goes on/,
    );
    assert.deepEqual([...environment.allowedEffects], ['read']);
  } finally {
    stop();
  }
});

test('a token of a second user without an id is left out, and the file loads', async () => {
  const env = environmentText('http://127.0.0.1:1', { FRIEND_ACCESS_TOKEN: 'canary-friend-token-1' });
  const file = join(folder, 'app.env');
  writeFileSync(file, env);
  const { said, environment } = await played({ 'Try it now?': 'no' }, { from: [file] });
  assert.match(said, /left out: FRIEND_ACCESS_TOKEN, because FRIEND_USER_ID is not known/);
  assert.match(said, /left out: ALLOWED_EFFECTS is asked for at the end/);
  assert.equal(environment.friend.accessToken, undefined);
});

test('secrets of the process environment are not asked for', async () => {
  const env = { MINE_ACCESS_TOKEN: 'canary-process-token', MINE_API_KEY: 'canary-process-key' };
  const asker = new ScriptedAsker({
    ...answersFor(environmentText('http://127.0.0.1:1', { ACCESS_TOKEN: undefined, API_KEY: undefined })),
    'Try it now?': 'no',
  });
  assert.equal(await newEnvironment('mine', { asker, env }), 0);
  assert.match(asker.said, /ACCESS_TOKEN comes from MINE_ACCESS_TOKEN in the process environment/);
  assert.doesNotMatch(asker.said + readFileSync(join(environments, 'mine.env'), 'utf8'), /canary/);
});
