import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../environment/index.ts';
import { Secret } from '../../redaction/index.ts';
import { type Operation, operation, operationIds } from '../../service/index.ts';
import { resultText } from '../../testing/play.ts';
import { safetyBench, titled } from '../../testing/safety-bench.ts';
import { rawResponse, startRawServer } from '../../testing/servers/raw-server.ts';
import { runScenario, type ScenarioResult, scenarios } from '../index.ts';

const { allowing, arrivals, own, provisioned, reversible, run, scenario } = await safetyBench();

const reads = [...operationIds.map((id) => operation(id)), own.readProfile as Operation]
  .filter(({ effect }) => effect === 'read')
  .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '…')}`);
const readOf = (line: string) => reads.find((read) => new RegExp(`^${read.replaceAll('…', '[^/]+')}$`).test(line));

test('with ALLOWED_EFFECTS=read nothing but reads arrives: from no scenario, no auth spec, no helper, no lie; what is skipped says why', async () => {
  const readOnly: Environment = { ...provisioned, allowedEffects: new Set(['read']) };
  const stories = await scenarios();
  const lies = [
    scenario(async ({ friends, friend }) => void (await friends.block({ friendId: friend.id }).succeeds())),
    scenario(async ({ profile, data }) => void (await profile.updateProfile(data.profile()).succeeds())),
    scenario(async ({ call }) => void (await call('deleteItem', { id: 'item-anchor' }).succeeds())),
  ];
  const others = [...(await scenarios('auth')), ...lies];
  let results: ScenarioResult[] = [];
  const heard = await arrivals.during(async () => {
    results = await run(readOnly, ...stories, ...others);
  });
  const met = heard.map(({ method, path }) => readOf(`${method} ${path}`) ?? `${method} ${path}`);
  assert.deepEqual([...new Set(met)].sort(), reads.sort());
  for (const result of results.slice(0, stories.length)) {
    const why = `^skipped · .*its effect is ${result.effect}, and ALLOWED_EFFECTS is read`;
    assert.match(resultText(result), result.effect === 'read' ? /^passed$/ : new RegExp(why), result.title);
  }
});

test('a wrong token is tried a few times, and then no more in this run', async () => {
  const caller = { ...own.caller, accessToken: new Secret('not-the-token') };
  const user = await titled(/^(block, then list, then unblock|love, then unlove|get friend profile, as configured)$/);
  const options = { environment: { ...reversible(), caller }, seed: '1', runId: 'wrong' };
  let last = '';
  const heard = await arrivals.during(async () => {
    for (const each of [...user, ...user]) {
      last = resultText(await runScenario(each, options));
      assert.match(last, /^refused/);
    }
  });
  assert.equal(heard.length, 3);
  assert.match(
    last,
    / · not tried: ACCESS_TOKEN is not accepted \(401 at .*\): check ACCESS_TOKEN in environments.local\.env$/,
  );
});

test('everything that arrives is marked; the header of the run id has the name that the environment gives', async () => {
  const marked: Environment = { ...provisioned, runHeader: 'x-acceptance' };
  const heard = await arrivals.during(async () => run(marked, ...(await scenarios())));
  for (const { headers, path } of heard) {
    assert.match(headers['user-agent'] ?? '', /^sextant\/\d/, path);
    assert.match(headers.traceparent as string, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/, path);
    assert.match(headers['x-acceptance'] as string, /^run-\d+$/, path);
    assert.equal(headers['x-sextant-run'], undefined);
  }
  // Requests to the provisioner are left out: they call no operation of the service, and have the trace id of their scenario.
  const calls = heard.filter(({ path }) => path.startsWith('/v1/'));
  assert.equal(new Set(calls.map(({ headers }) => headers.traceparent)).size, calls.length);
});

test('the pace of an environment holds for all of its scenarios together', async (t) => {
  let [open, most] = [0, 0];
  const held = await startRawServer({
    onRequest: async (socket) => {
      most = Math.max(most, ++open);
      // Waits for further requests. If the suite sent more at once than MAX_CONCURRENCY allows, they would arrive in this time.
      await wait(20);
      open--;
      socket.write(rawResponse('200 OK', '[]'));
    },
  });
  t.after(() => held.stop());
  const url = new URL(`http://127.0.0.1:${held.port}/`);
  const paced: Environment = {
    ...allowing('read'),
    addresses: { ...own.addresses, friends: url },
    rateLimits: { maxConcurrency: 2, retryAfterLimitMs: 0 },
  };
  const reading = scenario(async ({ friends }) => void (await friends.listBlocked().succeeds()));
  const options = { environment: paced, seed: '1', runId: 'paced' };
  const results = await Promise.all(Array.from({ length: 8 }, () => runScenario(reading, options)));
  assert.ok(results.every(({ verdict }) => verdict === 'passed'));
  assert.equal(most, 2);
});
