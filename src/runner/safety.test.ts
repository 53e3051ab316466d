import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Secret } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { type Operation, operation, operationIds } from '../spec/index.ts';
import { safetyBench } from '../testing/safety-bench.ts';
import { rawResponse, startRawServer } from '../testing/servers/raw-server.ts';
import { runScenario, type ScenarioResult, scenarios } from './index.ts';

const { allowing, arrivals, own, provisioned, run, scenario } = await safetyBench();

const reads = [...operationIds.map((id) => operation(id)), own.readProfile as Operation]
  .filter(({ effect }) => effect === 'read')
  .map(({ method, path }) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`));

test('with ALLOWED_EFFECTS=read nothing but reads arrives: from no scenario, no auth spec, no helper, no lie; what is skipped says why', async () => {
  const readOnly: Environment = { ...provisioned, allowedEffects: new Set(['read']) };
  const stories = await scenarios();
  const lies = [
    scenario(async ({ friends, friend }) => void (await friends.block({ friendId: friend.id }).succeeds())),
    scenario(async ({ profile, data }) => void (await profile.updateProfile(data.profile()).succeeds())),
    scenario(async ({ call }) => void (await call('deleteItem', { id: 'item-anchor' }).succeeds())),
  ];
  const results: ScenarioResult[] = [];
  const heard = await arrivals.during(async () => {
    results.push(...(await run(readOnly, ...stories, ...(await scenarios('auth')), ...lies)));
  });
  const lines = heard.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    lines.filter((line) => !reads.some((read) => read.test(line))),
    [],
  );
  for (const read of reads)
    assert.ok(
      lines.some((line) => read.test(line)),
      `${read}`,
    );
  for (const { title, effect, verdict, reason } of results.filter((each) =>
    stories.some(({ title }) => title === each.title),
  )) {
    assert.equal(verdict, effect === 'read' ? 'passed' : 'skipped', `${title}: ${reason}`);
    if (effect !== 'read')
      assert.match(`${reason}`, new RegExp(`its effect is ${effect}, and ALLOWED_EFFECTS is read`));
  }
});

test('a wrong token is tried a few times, and then no more in this run', async () => {
  const wrong: Environment = {
    ...own,
    caller: { ...own.caller, accessToken: new Secret('not-the-token') },
    allowedEffects: new Set(['read', 'reversible']),
  };
  const titles = ['block, then list, then unblock', 'love, then unlove', 'get friend profile, as configured'];
  const user = (await scenarios()).filter(({ title }) => titles.includes(title));
  const options = { environment: wrong, seed: '1', runId: 'wrong' };
  const results: ScenarioResult[] = [];
  const heard = await arrivals.during(async () => {
    for (const each of [...user, ...user]) results.push(await runScenario(each, options));
  });
  assert.equal(heard.length, 3);
  assert.deepEqual([...new Set(results.map(({ verdict }) => verdict))], ['refused']);
  assert.match(
    results.at(-1)?.reason ?? '',
    /^not tried: ACCESS_TOKEN is not accepted \(401 at .*\): check \w+_ACCESS_TOKEN/,
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
  assert.equal(new Set(heard.map(({ headers }) => headers.traceparent)).size, heard.length);
});

test('the pace of an environment holds for all of its scenarios together', async (t) => {
  let [open, most] = [0, 0];
  const held = await startRawServer({
    onRequest: async (socket) => {
      most = Math.max(most, ++open);
      // Time for more to come, if more were sent.
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
