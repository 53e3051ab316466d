import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { ScenarioBody } from '../../../fixtures/index.ts';
import type { Environment } from '../../environment/index.ts';
import { scenarioOf } from '../../testing/made-scenario.ts';
import { resultText } from '../../testing/play.ts';
import { titled } from '../../testing/safety-bench.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { type Behaviour, rawResponse, startRawServer } from '../../testing/servers/raw-server.ts';
import { embeddedEnvironment, testEnvironment } from '../../testing/test-environment.ts';
import { type RunAllOptions, runAll, runScenario, type Scenario, scenarios } from '../index.ts';

/** In ms. Far longer than any test may take, so that waiting for this time makes a test fail visibly. */
const FOREVER_MS = 600_000;
const never = () => new Promise<never>(() => {});
const empty = rawResponse('200 OK', '[]');

const service = await ownService();

function ofService(extra: Partial<Environment> = {}): RunAllOptions {
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service, { requestTimeoutMs: FOREVER_MS });
  return { environment: { ...environment, ...extra }, seed: randomUUID(), runId: randomUUID() };
}

/**
 * Starts a server with this behaviour until the test ends. Returns the requests that the server gets, and the options of a run against it.
 */
async function against(t: TestContext, behaviour: Behaviour, keys: Parameters<typeof testEnvironment>[1] = {}) {
  const { port, requests, stop } = await startRawServer(behaviour);
  t.after(stop);
  const url = `http://127.0.0.1:${port}`;
  const environment = testEnvironment(url, { REQUEST_TIMEOUT_MS: FOREVER_MS, ...keys });
  return { url, requests, options: { environment, seed: '1', runId: randomUUID() } };
}

function made(body: ScenarioBody): Scenario {
  return scenarioOf('made for a test', body, '@friends', '@reversible');
}

const ran = <T extends { readonly verdict: string }>(results: readonly T[]) =>
  results.filter(({ verdict }) => verdict !== 'skipped');

test('an abort ends every call at once', async (t) => {
  const controller = new AbortController();
  const { options } = await against(t, { onRequest: () => controller.abort() });
  const { signal } = controller;
  const tried = ran(await runAll(await scenarios(), { ...options, signal, timeoutMs: FOREVER_MS }));
  assert.ok(tried.length > 0);
  for (const { verdict, reason } of tried) assert.deepEqual([verdict, reason], ['unknown', 'the run was stopped']);
});

test('of changes made at once, none is sent after a stop', async (t) => {
  const { requests, options } = await against(t, {});
  const both = await titled(/^block two, then unblock one$/);
  const stopped = { ...options, signal: AbortSignal.abort(), timeoutMs: 500 };
  for (const each of both) assert.equal((await runScenario(each, stopped)).verdict, 'unknown');
  assert.deepEqual(requests, []);
  const begun: string[] = [];
  const [result] = await runAll([made(async () => void begun.push('made'))], stopped);
  assert.deepEqual([result && resultText(result), begun], ['unknown · the run was stopped', []]);
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
  assert.equal(resultText(result), 'unknown · the run was stopped');
  const calls = result.exchanges.map(({ operation, response }) => `${operation} ${response?.status}`);
  assert.deepEqual(calls, ['listBlocked 200', 'block 200', 'unblock 200', 'listBlocked 200']);
});

const refusesToUndo: ScenarioBody = async ({ friends, friend, defer }) => {
  defer(() => friends.unblock({ friendId: friend.id }).isRefused());
  await friends.listBlocked().isRefused();
};
const callsForEver: ScenarioBody = async ({ friends }) => {
  for (;;) await friends.listBlocked().succeeds();
};
const endings: [name: string, body: ScenarioBody, timeoutMs: number, says: RegExp][] = [
  [
    'clean-up that fails after a failure is warned of, and changes no verdict',
    refusesToUndo,
    FOREVER_MS,
    /^failed · .*it was accepted · clean-up failed: expected a rejection \(4xx\)/,
  ],
  ['a scenario that does not end is ended', never, 100, /^unknown · .*had not ended after 100 ms, its calls apart/],
  [
    'clean-up that does not end is given up',
    async ({ defer }) => defer(never),
    100,
    /^unknown .*stopped before it end/,
  ],
  [
    'a scenario that never stops calling is ended',
    callsForEver,
    FOREVER_MS,
    /^unknown · .* not ended after 1000 calls/,
  ],
];
for (const [name, body, timeoutMs, says] of endings)
  test(name, async () =>
    assert.match(resultText(await runScenario(made(body), { ...ofService({ requestBudget: 0 }), timeoutMs })), says),
  );

test('calls that are slow, each within its deadline, are slow and nothing worse; their clean-up is not cut short', async (t) => {
  const slowly: Behaviour = { onRequest: (socket) => void setTimeout(() => socket.write(empty), 60) };
  const { options } = await against(t, slowly, { SLOW_AFTER_MS: 1 });
  const body: ScenarioBody = async ({ friends, friend, defer }) => {
    for (let change = 0; change < 4; change++) {
      await friends.block({ friendId: friend.id }).succeeds();
      defer(() => friends.unblock({ friendId: friend.id }).settles());
    }
  };
  const { verdict, reason, warnings, exchanges } = await runScenario(made(body), { ...options, timeoutMs: 100 });
  assert.deepEqual([verdict, warnings], ['slow', undefined], reason ?? '');
  // Seven calls: four equal blocks, one undo for all of them, and two reads of the list (before the first block and after the undo).
  assert.equal(exchanges.length, 7);
});

test('a provisioner that keeps silent is asked once, and is not the service', async (t) => {
  const { url, requests } = await against(t, {});
  const options = ofService({ provisionUrl: new URL(`${url}/`), requestTimeoutMs: 200 });
  const results = await runAll(await scenarios(), options);
  for (const result of results)
    assert.match(resultText(result), /^unknown · .*as a provisioner must \(PROVISION_URL/, result.title);
  // Scenarios run in lanes, and each lane asks the provisioner once. Each area is a lane, and so are the scenarios that only read stories.
  // One lane runs two scenarios at a time. It asks twice if its second scenario begins before the first request has failed.
  const lanes = new Set(results.map(({ area }) => area)).size + 1;
  assert.ok([lanes, lanes + 1].includes(requests.length), `${requests.length} requests of ${lanes} lanes`);
});

test('one operation that hangs takes down only the scenarios that need it', async (t) => {
  const answer = rawResponse('200 OK', '{}');
  const hangs: Behaviour = {
    onRequest: (socket, { head }) => void (head.includes('/reports/opt/') || socket.write(answer)),
  };
  // Only the call that hangs reaches this time-out. The calls of `love, then unlove` don't, even on a busy machine.
  const { options } = await against(t, hangs, { REQUEST_TIMEOUT_MS: 3_000 });
  const results = await runAll(await titled(/^(fetch options, then report|love, then unlove)$/), options);
  const verdicts = Object.fromEntries(results.map(({ title, verdict }) => [title, verdict]));
  assert.deepEqual(verdicts, { 'fetch options, then report': 'unreachable', 'love, then unlove': 'passed' });
});

test('with fixed users, what a block may disturb is over before the first one; a profile that its user changes alone is not waited for', async () => {
  const order: string[] = [];
  const started = ({ title, area }: { readonly title: string; readonly area: string }) =>
    void order.push(`${area}: ${title}`);
  const some = await titled(
    /^(block, then list, then unblock|love, then unlove|update profile|the profile of another)/,
  );
  await runAll(some, { ...ofService(), events: { started } });
  const [block, ...others] = ['friends: block', 'stories: ', 'profile: the profile', 'profile: update profile'].map(
    (start) => order.findIndex((each) => each.startsWith(start)),
  );
  assert.deepEqual(
    others.map((each) => each < (block ?? 0)),
    [true, true, false],
    order.join('\n'),
  );
});

test('an address that kept its first call waiting is given a moment for a second one, and is then down', async (t) => {
  let isFirst = true;
  const { requests, options } = await against(t, {
    onRequest: (socket) => {
      if (isFirst) setTimeout(() => socket.destroy(), 600);
      isFirst = false;
    },
  });
  const stories = (await scenarios()).filter(({ details: { tag } }) =>
    ['@stories', '@reversible'].every((each) => tag.includes(each)),
  );
  const tried = ran(await runAll(stories, options));
  for (const { verdict, title } of tried) assert.equal(verdict, 'unreachable', title);
  assert.ok(tried.length > 2);
  assert.equal(tried.filter(({ reason }) => reason?.startsWith('not tried: ')).length, tried.length - 1);
  assert.equal(requests.length, 2);
});

test('two environments are checked at once, and their credentials never meet', async (t) => {
  const behaviour: Behaviour = { onRequest: (socket) => void socket.end('HTTP/1.1 500 Oh\r\n\r\n') };
  const own = (index: number) => ({ ACCESS_TOKEN: `canary-token-of-${index}`, API_KEY: `canary-key-of-${index}` });
  const servers = [await against(t, behaviour, own(0)), await against(t, behaviour, own(1))];
  const all = await scenarios();
  const results = await Promise.all(servers.map(({ options }) => runAll(all, options)));
  // A scenario that was not tried shows the curl line of the earlier call that failed.
  for (const { verdict, title, curl } of results.flat()) assert.ok(verdict !== 'failed' || curl, title);
  for (const [index, { requests }] of servers.entries()) {
    const seen = requests.map(({ head, body }) => head + body).join('\n');
    for (const secret of Object.values(own(index))) assert.ok(seen.includes(secret));
    for (const secret of Object.values(own(1 - index))) assert.ok(!seen.includes(secret));
  }
});
