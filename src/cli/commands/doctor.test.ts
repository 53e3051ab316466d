import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onSuccess, withBody } from '../../../reference-service/faults/tamper.ts';
import { areas, firstArea } from '../../service/index.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { Arrivals } from '../../testing/servers/arrivals.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { rawResponse, startRawServer } from '../../testing/servers/raw-server.ts';
import { canaries, environmentText } from '../../testing/test-environment.ts';

const service = await ownService();
const arrivals = new Arrivals();
const { environments, env: own, write } = ownEnvironments({});
Object.assign(process.env, own);

async function examined(text: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  write('mine', text);
  Object.assign(process.env, env);
  const { code, out, err } = await runInProcess(['doctor', '--env', 'm*', ...args]);
  for (const name of Object.keys(env)) delete process.env[name];
  return { code, said: out + err };
}

test('a healthy environment has no problem, and was only read from', async () => {
  let found = { code: -1, said: '' };
  const arrived = await arrivals.during(async () => {
    found = await examined(environmentText(service.addresses), [], {
      HTTPS_PROXY: 'http://me:canary-proxy@127.0.0.1:1',
    });
  });
  assert.equal(found.code, 0, found.said);
  assert.match(found.said, /✓ credentials +accepted by Friends, Stories and Feature toggles/);
  assert.match(found.said, /✓ refusals +a read without its token is refused with an error status \(401\)/);
  assert.doesNotMatch(found.said, /canary/);
  const sent = [...new Set(arrived.map(({ method, path }) => `${method} ${path}`))].sort();
  assert.deepEqual(sent, [
    'GET /v1/friends/block/0/100',
    'GET /v1/reports/opt/en',
    'HEAD /',
    'POST /v1/apikey/feature',
  ]);
});

test('refused credentials, a closed port and an open secret file are problems, each with its cure; no secret is shown', async () => {
  const dead = 'http://127.0.0.1:1';
  const addresses = { ...service.addresses, storage: dead };
  const secrets = join(environments, 'mine.secret.env');
  write('mine.secret', `ACCESS_TOKEN=${canaries.ACCESS_TOKEN}\n`);
  chmodSync(secrets, 0o644);
  const { code, said } = await examined(environmentText(addresses, { ACCESS_TOKEN: undefined }));
  rmSync(secrets);
  assert.equal(code, 1, said);
  assert.match(
    said,
    /✗ connection +http:\/\/127\.0\.0\.1:1\/ does not respond: connection refused\n +→ check the port in STORAGE_URL/,
  );
  assert.match(said, /✗ credentials +Friends and Stories: refused \(401\)\n +→ check ACCESS_TOKEN/);
  if (process.platform !== 'win32') assert.match(said, /! secrets +.*mode 0644\)\n +→ chmod 600/);
  assert.doesNotMatch(said, /canary/);
});

test('a suspicious value in a file is a warning', async () => {
  const { code, said } = await examined(environmentText(service.addresses, { STORY_ID: `story-\${STAGE}` }));
  assert.equal(code, 0, said);
  assert.match(said, /! configuration +\S*mine\.env: STORY_ID contains a variable/);
});

test('a token that is not issued is a problem, and the addresses are tried all the same', async () => {
  const keys = { ACCESS_TOKEN: undefined, TOKEN_URL: 'http://127.0.0.1:1/token', TOKEN_CLIENT_ID: 'suite' };
  const { code, said } = await examined(environmentText(service.addresses, keys));
  assert.equal(code, 1, said);
  assert.match(
    said,
    /✗ credentials +Friends and Stories: ACCESS_TOKEN was not issued: http.*\/token can't be reached \(ECONNREFUSED\)/,
  );
  assert.match(said, /✓ address +http.* responds/);
  // The doctor also tried the API key, although the token was not issued.
  assert.match(said, /✓ credentials +accepted by Feature toggles/);
});

test('a mistake in the facts is named, and what needs no facts is examined', async () => {
  const facts = join(environments, 'mine.facts.json');
  writeFileSync(facts, '{');
  const { code, said } = await examined(environmentText(service.addresses));
  rmSync(facts);
  assert.equal(code, 2, said);
  assert.match(said, /✗ environment (?:.*\n)*? .*mine\.facts\.json\n.*are not JSON.*\n +→ correct the facts/);
  assert.match(said, /✓ credentials +accepted by Friends/);
});

test('of areas that share an address, each is told what it did, and the address that it answers', async (t) => {
  const server = await startRawServer({
    onRequest: (socket, { head }) => {
      if (/ \/v1\/reports/.test(head)) return;
      // Some services send a body even in response to HEAD.
      socket.write(rawResponse(/^authorization/im.test(head) ? '200 OK' : '401 Unauthorized', '[]'));
    },
  });
  t.after(server.stop);
  const { code, said } = await examined(
    environmentText(`http://127.0.0.1:${server.port}`, { REQUEST_TIMEOUT_MS: 1_000 }),
  );
  assert.equal(code, 1, said);
  assert.match(said, /✓ address +http:\/\/127\.0\.0\.1:\d+\/ responds in \d+ ms\n/);
  assert.match(said, /✓ credentials +accepted by Friends\n/);
  assert.match(said, /✗ credentials +Feature toggles: refused \(401\)\n +→ check API_KEY/);
  assert.match(said, /✗ response +Stories: .*no response.*\n +→ check that this machine may reach STORY_URL/);
  assert.equal(said.match(/✗/g)?.length, 2, said);
});

test('an environment that can’t be used ends with 2, the machine examined all the same; --json has the same findings', async () => {
  const { code, said } = await examined(`${areas[firstArea].addressKey}=nonsense\n`, ['--json']);
  assert.equal(code, 2, said);
  const [machine, mine] = JSON.parse(said) as {
    of: string;
    findings: { subject: string; severity: string; text: string }[];
  }[];
  assert.deepEqual([machine?.of, mine?.of], ['this machine', 'mine']);
  assert.ok(machine?.findings.some(({ subject }) => subject === 'certificates'));
  assert.match(mine?.findings[0]?.text ?? '', new RegExp(`${areas[firstArea].addressKey}.*is not a URL`));
});

test('without consent to a run, no credential is sent', async () => {
  // The host name isn't a loopback address, so consent is needed. Nothing responds at this address.
  const text = environmentText('http://sextant.test:9', { ACCESS_TOKEN: undefined, API_KEY: undefined });
  const secrets = { MINE_ACCESS_TOKEN: canaries.ACCESS_TOKEN, MINE_API_KEY: canaries.API_KEY };
  const { code, said } = await examined(text, [], secrets);
  assert.equal(code, 1, said);
  assert.match(said, /! credentials +tokens and keys go to sextant\.test:9 in the clear: .*\n +→ use https:/);
  assert.match(said, /· consent +not given for these settings, so nothing was sent with credentials/);
  assert.doesNotMatch(said, /credentials +(accepted|Friends)/);
});

test('what of a profile can’t be put back is said, with what it is now, before a run overwrites it', async () => {
  const keys = { FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}', ALLOWED_EFFECTS: 'read,reversible' };
  service.faults.set({
    name: 'shows no status',
    operation: 'readProfile',
    respond: onSuccess((response) =>
      withBody(response, () => ({ name: 'Ada', avatarUrl: 'https://a.test/1', gender: 1 })),
    ),
  });
  const said = async (changes: object = {}) =>
    (await examined(environmentText(service.addresses, { ...keys, ...changes }))).said;
  const warning =
    /profile +the profile of user-ada can’t be restored: GET \S+ shows no status; before the run it was \{.*"name":"Ada"/;
  assert.match(await said(), warning);
  service.faults.set({
    name: 'another name',
    operation: 'readProfile',
    respond: onSuccess((response) =>
      withBody(response, () => ({ displayName: 'Ada', status: '', url: '', gender: 1 })),
    ),
  });
  assert.match(await said(), /profile +the profile of user-ada is never updated: GET \S+ shows no name under a doc/);
  // With ALLOWED_EFFECTS=read, a run changes nothing in the profile. So the doctor must not warn that the profile can't be restored.
  assert.doesNotMatch(await said({ ALLOWED_EFFECTS: 'read' }), /can’t be restored/);
  service.faults.set();
  assert.doesNotMatch(await said(), /can’t be restored/);
  assert.match(
    await said({ FRIEND_PROFILE_REQUEST: undefined, ALLOWED_EFFECTS: 'read,overwriting' }),
    /can’t be restored: FRIEND_PROFILE_REQUEST is not set/,
  );
});
