import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { Environment } from '../config/index.ts';
import type { ScenarioBody } from '../scenario/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { startRawServer } from '../testing/servers/raw-server.ts';
import { embeddedEnvironment, testEnvironment } from '../testing/test-environment.ts';
import { type RunAllOptions, runAll, runScenario, type Scenario, scenarios } from './index.ts';

/** Far longer than any test may take: who waits for it is noticed. */
const FOREVER_MS = 600_000;
const never = () => new Promise<never>(() => {});

const service = await ownService();

function ofService(extra: Partial<Environment> = {}): RunAllOptions {
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service, { requestTimeoutMs: FOREVER_MS });
  return { environment: { ...environment, ...extra }, seed: randomUUID(), runId: randomUUID() };
}

function made(body: ScenarioBody, tag = ['@friends', '@reversible']): Scenario {
  return { title: 'made for a test', details: { tag }, file: 'made.spec.ts', body };
}

test('an abort ends every call at once', async (t) => {
  const controller = new AbortController();
  const silent = await startRawServer({ onRequest: () => controller.abort() });
  t.after(() => silent.stop());
  const environment = testEnvironment(`http://127.0.0.1:${silent.port}`, { REQUEST_TIMEOUT_MS: FOREVER_MS });
  const { signal } = controller;
  const options = { environment, seed: '1', runId: randomUUID(), signal, timeoutMs: FOREVER_MS };
  const results = await runAll(await scenarios(), options);
  const tried = results.filter(({ verdict }) => verdict !== 'skipped');
  assert.ok(tried.length > 0);
  for (const { verdict, reason } of tried) assert.deepEqual([verdict, reason], ['unknown', 'the run was stopped']);
});

test('of changes made at once, none is sent after a stop', async (t) => {
  const silent = await startRawServer({});
  t.after(() => silent.stop());
  const environment = testEnvironment(`http://127.0.0.1:${silent.port}`, { REQUEST_TIMEOUT_MS: FOREVER_MS });
  const options = { environment, seed: '1', runId: randomUUID(), signal: AbortSignal.abort(), timeoutMs: 500 };
  const both = (await scenarios()).filter(({ title }) => title === 'block two, then unblock one');
  const [result] = await runAll(both, options);
  assert.equal(result?.verdict, 'unknown');
  assert.deepEqual(silent.requests, []);
});

test('clean-up still runs after an abort, also when the body does not heed it', async () => {
  const controller = new AbortController();
  const body: ScenarioBody = async ({ friends, friend, defer }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).succeeds());
    controller.abort();
    await never();
  };
  const result = await runScenario(made(body), { ...ofService(), signal: controller.signal });
  assert.equal(result.verdict, 'unknown');
  assert.equal(result.warnings, undefined);
  const calls = result.exchanges.map(({ operation, response }) => `${operation} ${response?.status}`);
  assert.deepEqual(calls, ['listBlocked 200', 'block 200', 'unblock 200', 'listBlocked 200']);
});

test('clean-up that fails after a failure is warned of, and changes no verdict', async () => {
  const body: ScenarioBody = async ({ friends, friend, defer }) => {
    defer(() => friends.unblock({ friendId: friend.id }).isRefused());
    await friends.listBlocked().isRefused();
  };
  const { verdict, reason, warnings } = await runScenario(made(body), ofService());
  assert.equal(verdict, 'failed');
  assert.match(reason ?? '', /it was accepted/);
  assert.match(warnings?.join() ?? '', /^clean-up failed: assumed: a rejection is a 4xx/);
});

test('a scenario that does not end is ended', async () => {
  const result = await runScenario(made(never), { ...ofService(), timeoutMs: 100 });
  assert.equal(result.verdict, 'unknown');
  assert.match(result.reason ?? '', /had not ended after 100 ms, its calls apart/);
});

test('clean-up that does not end is given up', async () => {
  const body: ScenarioBody = async ({ defer }) => defer(never);
  const { verdict, reason } = await runScenario(made(body), { ...ofService(), timeoutMs: 100 });
  assert.equal(verdict, 'unknown');
  assert.match(reason ?? '', /stopped before it ended/);
});

const empty = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]';

test('calls that are slow, each within its deadline, are slow and nothing worse; their clean-up is not cut short', async (t) => {
  const slow = await startRawServer({ onRequest: (socket) => void setTimeout(() => socket.write(empty), 60) });
  t.after(() => slow.stop());
  const environment = testEnvironment(`http://127.0.0.1:${slow.port}`, {
    REQUEST_TIMEOUT_MS: 10_000,
    SLOW_AFTER_MS: 1,
  });
  const body: ScenarioBody = async ({ friends, friend, defer }) => {
    for (let change = 0; change < 4; change++) {
      await friends.block({ friendId: friend.id }).succeeds();
      defer(() => friends.unblock({ friendId: friend.id }).settles());
    }
  };
  const options = { environment, seed: '1', runId: randomUUID(), timeoutMs: 100 };
  const { verdict, reason, warnings, exchanges } = await runScenario(made(body), options);
  assert.equal(verdict, 'slow', reason ?? '');
  assert.equal(warnings, undefined);
  // The list is read before the first change and after the last.
  assert.equal(exchanges.length, 10);
});

test('a scenario that never stops calling is ended, and says nothing of the service', async () => {
  const body: ScenarioBody = async ({ friends }) => {
    for (;;) await friends.listBlocked().succeeds();
  };
  const { verdict, reason } = await runScenario(made(body), ofService({ requestBudget: 0 }));
  assert.equal(verdict, 'unknown');
  assert.match(reason ?? '', /had not ended after 1000 calls/);
});

test('a provisioner that keeps silent is asked once, and is not the service', async (t) => {
  const silent = await startRawServer({});
  t.after(() => silent.stop());
  const options = ofService({ provisionUrl: new URL(`http://127.0.0.1:${silent.port}/`), requestTimeoutMs: 200 });
  const all = await scenarios();
  const results = await runAll(all, options);
  for (const { title, verdict, reason } of results) {
    assert.equal(verdict, 'unknown', title);
    assert.match(reason ?? '', /as a provisioner must \(PROVISION_URL/, title);
  }
  const lanes = new Set(results.map(({ area }) => area));
  assert.equal(silent.requests.length, lanes.size);
});

test('one operation that hangs takes down only the scenarios that need it', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
  const server = await startRawServer({
    onRequest: (socket, { head }) => void (head.includes('/reports/opt/') || socket.write(answer)),
  });
  t.after(() => server.stop());
  // Longer than a busy machine takes for one of the others.
  const environment = testEnvironment(`http://127.0.0.1:${server.port}`, { REQUEST_TIMEOUT_MS: 3_000 });
  const stories = (await scenarios()).filter(({ title }) =>
    /^(fetch options, then report|love, then unlove)$/.test(title),
  );
  const results = await runAll(stories, { environment, seed: '1', runId: randomUUID() });
  const verdicts = Object.fromEntries(results.map(({ title, verdict }) => [title, verdict]));
  assert.deepEqual(verdicts, { 'fetch options, then report': 'unreachable', 'love, then unlove': 'passed' });
});

test('an address that kept its first call waiting is given a moment for a second one, and is then down', async (t) => {
  let isFirst = true;
  const server = await startRawServer({
    onRequest: (socket) => {
      if (isFirst) setTimeout(() => socket.destroy(), 600);
      isFirst = false;
    },
  });
  t.after(() => server.stop());
  const environment = testEnvironment(`http://127.0.0.1:${server.port}`, { REQUEST_TIMEOUT_MS: FOREVER_MS });
  const all = await scenarios();
  const stories = all.filter(({ details }) => details.tag.includes('@stories') && details.tag.includes('@reversible'));
  const results = await runAll(stories, { environment, seed: '1', runId: randomUUID() });
  const tried = results.filter(({ verdict }) => verdict !== 'skipped');
  const untried = tried.filter(({ reason }) => reason?.startsWith('not tried: '));
  for (const { verdict, title } of tried) assert.equal(verdict, 'unreachable', title);
  assert.ok(tried.length > 2);
  assert.equal(untried.length, tried.length - 1);
  assert.equal(server.requests.length, 2);
});

test('two environments are checked at once, and their credentials never meet', async (t) => {
  const behaviour = { onRequest: (socket: Socket) => void socket.end('HTTP/1.1 500 Oh\r\n\r\n') };
  const servers = [await startRawServer(behaviour), await startRawServer(behaviour)];
  t.after(() => Promise.all(servers.map((server) => server.stop())));
  const all = await scenarios();
  const own = (index: number) => ({ ACCESS_TOKEN: `canary-token-of-${index}`, API_KEY: `canary-key-of-${index}` });
  await Promise.all(
    servers.map(({ port }, index) => {
      const environment = testEnvironment(`http://127.0.0.1:${port}`, own(index));
      return runAll(all, { environment, seed: '1', runId: randomUUID() });
    }),
  );
  for (const [index, { requests }] of servers.entries()) {
    const seen = requests.map(({ head, body }) => head + body).join('\n');
    for (const secret of Object.values(own(index))) assert.ok(seen.includes(secret));
    for (const secret of Object.values(own(1 - index))) assert.ok(!seen.includes(secret));
  }
});
