import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Secret } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { type Operation, operation, operationIds } from '../spec/index.ts';
import { safetyBench } from '../testing/safety-bench.ts';
import { runScenario, scenarios } from './index.ts';

const { allowing, arrivals, own, provisioned, run, scenario } = await safetyBench();

const reads = [...operationIds.map((id) => operation(id)), own.readProfile as Operation]
  .filter(({ effect }) => effect === 'read')
  .map(({ method, path }) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`));

test('with ALLOWED_EFFECTS=read nothing but reads arrives: from no scenario, no auth spec, no helper, no lie', async () => {
  const readOnly: Environment = { ...provisioned, allowedEffects: new Set(['read']) };
  const everything = [...(await scenarios()), ...(await scenarios('auth'))];
  const lies = [
    scenario(async ({ friends, friend }) => void (await friends.block({ friendId: friend.id }).succeeds())),
    scenario(async ({ profile, data }) => void (await profile.updateProfile(data.profile()).succeeds())),
    scenario(async ({ call }) => void (await call('deleteItem', { id: 'item-anchor' }).succeeds())),
  ];
  const heard = await arrivals.during(() => run(readOnly, ...everything, ...lies));
  const others = heard
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => !reads.some((read) => read.test(line)));
  assert.deepEqual(others, []);
  assert.ok(heard.length > reads.length, `${heard.length} requests arrived`);
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
  const results: Awaited<ReturnType<typeof runScenario>>[] = [];
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

test('the pace of an environment holds for all of its scenarios together', async () => {
  let [open, most] = [0, 0];
  const held = createServer(async (_request, response) => {
    most = Math.max(most, ++open);
    // Time for more to come, if more were sent.
    await wait(20);
    open--;
    response.setHeader('content-type', 'application/json').end('[]');
  }).listen(0, '127.0.0.1');
  await once(held, 'listening');
  const url = new URL(`http://127.0.0.1:${(held.address() as AddressInfo).port}/`);
  const paced: Environment = {
    ...allowing('read'),
    addresses: { ...own.addresses, friends: url },
    rateLimits: { maxConcurrency: 2, retryAfterLimitMs: 0 },
  };
  const reading = scenario(async ({ friends }) => void (await friends.listBlocked().succeeds()));
  try {
    const options = { environment: paced, seed: '1', runId: 'paced' };
    const results = await Promise.all(Array.from({ length: 8 }, () => runScenario(reading, options)));
    assert.ok(results.every(({ verdict }) => verdict === 'passed'));
    assert.equal(most, 2);
  } finally {
    held.close();
  }
});
