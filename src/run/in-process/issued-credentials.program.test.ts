import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { loadEnvironment } from '../../environment/index.ts';
import { readJournals, sweep } from '../../safety/index.ts';
import { findLeaks, findSecretsInFolder } from '../../testing/find-leaks.ts';
import { ownEnvironments } from '../../testing/own-folder.ts';
import { plainEnvironment, startChild } from '../../testing/programs/child.ts';
import { CLIENT_SECRET, issuedText, startIssuer } from '../../testing/servers/issuer.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { loadText } from '../../testing/test-environment.ts';
import { runScenario, type ScenarioResult, scenarios } from '../index.ts';

const issuer = await startIssuer(await ownService());
after(() => issuer.stop());
beforeEach(() => {
  issuer.answer = undefined;
  issuer.saysInvalidToken = true;
});

/**
 * An environment whose credentials come from the issuer. Each test uses another name, because within a process, environments of the same
 * name share their tokens.
 */
const environmentOf = (name: string) => loadText(name, issuedText(issuer));
const all = [...(await scenarios()), ...(await scenarios('auth'))];
const runId = randomUUID();

/** The client's secret, and the last `count` tokens of the issuer, none of which may leak. */
const secrets = (count: number) => ({
  secret: CLIENT_SECRET,
  ...Object.fromEntries(issuer.issued.slice(-count).map((token) => [token, token])),
});

async function run(environment: ReturnType<typeof environmentOf>, title: string): Promise<ScenarioResult> {
  const scenario = all.find((each) => each.title === title);
  assert.ok(scenario, title);
  const result = await runScenario(scenario, { environment, seed: title, runId });
  assert.deepEqual(findLeaks(Buffer.from(JSON.stringify(result)), secrets(3), title), []);
  return result;
}

const READ = 'read-only round';
const CHANGE = 'block, then list, then unblock';

test('whatever ends a token ten times, nothing is red: each is replaced once', async () => {
  const environment = environmentOf('expiring');
  for (let expiry = 0; expiry < 10; expiry++) {
    const { verdict, reason } = await run(environment, expiry % 2 ? READ : CHANGE);
    assert.equal(verdict, 'passed', String(reason));
    issuer.expire();
  }
  assert.ok(issuer.asked.length <= 11, String(issuer.asked.length));
});

test('a change whose 401 proves nothing is not sent again, and the next one has a fresh token', async () => {
  const environment = environmentOf('silent');
  assert.equal((await run(environment, CHANGE)).verdict, 'passed');
  issuer.saysInvalidToken = false;
  issuer.expire();
  const { verdict, exchanges } = await run(environment, 'love, then unlove');
  assert.equal(verdict, 'refused');
  assert.equal(exchanges.filter(({ operation }) => operation === 'love').length, 1);
  assert.equal((await run(environment, 'love, then unlove')).verdict, 'passed');
  issuer.expire();
  assert.equal((await run(environment, READ)).verdict, 'passed', 'a read is sent again');
});

test('a token that the service never accepts is refused, and its issuer is not flooded', async () => {
  const environment = environmentOf('unknown');
  issuer.answer = (_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ access_token: `another-${randomUUID()}`, token_type: 'bearer' }));
  const before = issuer.asked.length;
  for (let each = 0; each < 3; each++) assert.equal((await run(environment, READ)).verdict, 'refused');
  assert.ok(issuer.asked.length - before <= 2, String(issuer.asked.length - before));
});

test('an issuer that is down makes unknown, by its name, and is not asked by every call', async () => {
  const environment = environmentOf('down');
  issuer.answer = (_, response) => response.writeHead(503).end();
  const before = issuer.asked.length;
  for (const title of [READ, CHANGE]) {
    const { verdict, reason, exchanges } = await run(environment, title);
    assert.equal(verdict, 'unknown');
    assert.match(String(reason), /ACCESS_TOKEN was not issued: http.*\/token answered 503/);
    assert.deepEqual(exchanges, []);
  }
  assert.equal(issuer.asked.length - before, 1);
});

test('specs that spoil the token never ask the issuer', async () => {
  const environment = environmentOf('spoiled');
  await run(environment, READ);
  const before = issuer.asked.length;
  const spoiling = all.filter(({ title }) => title.startsWith('listBlocked with Authorization '));
  assert.ok(spoiling.length > 1);
  for (const { title } of spoiling) assert.notEqual((await run(environment, title)).verdict, 'failed');
  assert.equal(issuer.asked.length, before);
});

test('a run that is killed in the middle of its token’s life leaves no token, and its changes are undone with another', async () => {
  const name = 'killed';
  const own = ownEnvironments({ [name]: issuedText(issuer, { ALLOWED_EFFECTS: 'read,reversible' }) });
  const { SEXTANT_OUTPUT: output } = own.env;
  const env = { ...own.env, SEXTANT_STATE: join(output, 'state') };
  Object.assign(process.env, env);
  const left = () => findSecretsInFolder(output, secrets(100));
  const program = join(import.meta.dirname, '..', '..', 'testing', 'programs', 'looping-run.ts');
  const child = startChild(process.execPath, [program, 'seed', name], {
    env: plainEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const before = issuer.issued.length;
  await once(child, 'message');
  child.send('go');
  const isPending = () =>
    readJournals(loadEnvironment(name, { folder: own.environments })).some(({ pending }) => pending.length > 0);
  while (!isPending()) await wait(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(issuer.issued.length > before && isPending());
  assert.deepEqual(left(), []);
  const atKill = issuer.issued.length;
  issuer.expire();
  const environment = loadEnvironment(name, { folder: own.environments });
  const undone = await sweep(environment);
  assert.ok(undone.length > 0 && undone.every(({ done }) => done), JSON.stringify(undone));
  assert.ok(issuer.issued.length > atKill, 'the killed run’s token is nobody’s');
  assert.deepEqual(left(), []);
});
