import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../reference-service/faults/fault-switch.ts';
import { onSuccess, parsedBody } from '../../reference-service/faults/tamper.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import { inside, silent } from '../client/index.ts';
import { World } from '../scenario/index.ts';
import { operation } from '../spec/index.ts';
import { safetyBench } from '../testing/safety-bench.ts';
import { scenarios } from './index.ts';

const { allowing, arrivals, leaveBehind, own, pending, reversible, run, scenario, service, undo } = await safetyBench();

const profileUpdates = (heard: readonly { method: string }[]) => heard.filter(({ method }) => method === 'PUT').length;

const change = scenario(
  async ({ profile: client, data }) => void (await client.updateProfile(data.profile()).succeeds()),
  'overwriting',
  '@restorable',
);

/** The profile of the environment's caller, as its owner sees it. */
async function profile(): Promise<object> {
  const world = new World({ environment: allowing('read'), observer: silent, seed: 0, runId: 'look' });
  const { profile: client } = { profile: await world.value('profile') };
  const { json } = inside(await client.readProfile({ userId: own.caller.userId }).succeeds());
  await world.close({ verify: true });
  const { name, status, url, gender } = json as Record<string, unknown>;
  return { name, status, url, gender };
}

test('a profile that can be read is put back, also where only reversible is allowed, and after a failure', async () => {
  const before = await profile();
  const changes = (await scenarios()).filter(({ details }) => details.tag.includes('@restorable'));
  assert.ok(changes.length > 0);
  for (const environment of [reversible(), allowing('read', 'overwriting')]) {
    const results = await run(environment, ...changes);
    assert.deepEqual([...new Set(results.map(({ verdict }) => verdict))], ['passed']);
    assert.ok(results.every(({ exchanges }) => profileUpdates(exchanges.map(({ request }) => request)) > 1));
    assert.deepEqual(await profile(), before);
  }
  const failing = scenario(
    async ({ profile: client, data }) => {
      await client.updateProfile(data.profile()).succeeds();
      await client.updateProfile({ includes: 'name', name: data.text() }).isRefused();
    },
    'overwriting',
    '@restorable',
  );
  const [result] = await run(reversible(), failing);
  assert.equal(result?.verdict, 'failed');
  assert.deepEqual(await profile(), before);
  assert.deepEqual(pending(), []);
});

test('a profile with an empty text that the service refuses is changed only where overwriting is allowed, and all else is put back', async () => {
  const showsBlank: Fault = {
    name: 'shows-a-blank',
    operation: 'readProfile',
    respond: onSuccess((response) => ({
      body: JSON.stringify({ ...(parsedBody(response) as object), name: 'Ada', status: '', url: '/ada.png' }),
    })),
  };
  const takesNone: Fault = {
    name: 'takes-no-blank',
    operation: 'updateProfile',
    validate: (original) => (entry, body) => {
      const valid = original(entry, body) as { readonly status?: string };
      if (valid.status === '') throw new Refusal(400, 'blank', 'this field may not be blank');
      return valid;
    },
  };
  service.faults.set(showsBlank, takesNone);
  const [lost] = await run(allowing('read', 'overwriting'), change);
  assert.equal(lost?.verdict ?? '', 'passed', lost?.reason ?? '');
  assert.match(lost?.warnings?.join() ?? '', /the old status of the profile, which the service refuses/);
  assert.deepEqual(pending(), []);
  const unchanged = await arrivals.during(async () => {
    const [kept] = await run(reversible(), change);
    assert.match(`${kept?.verdict} ${kept?.reason}`, /^skipped .*or the service refuses them as they are/);
  });
  // The profile as it is, which was refused.
  assert.equal(profileUpdates(unchanged), 1);
  service.faults.set();
  const { name, url } = (await profile()) as Readonly<Record<string, string>>;
  assert.deepEqual({ name, url }, { name: 'Ada', url: '/ada.png' });
});

test('a profile that a killed run left changed is put back by the next, once, whatever allowed the change', async () => {
  for (const environment of [reversible(), allowing('read', 'overwriting')]) {
    const args = { includes: 'name', name: `Ada ${environment.allowedEffects.size}` };
    const base = own.addresses.profile.href;
    await leaveBehind({ change: 'updateProfile', undo: 'updateProfile', args, base });
    const heard = await arrivals.during(() => undo(environment));
    assert.equal(heard.length, 1);
    assert.deepEqual({ ...(await profile()), name: args.name }, await profile());
  }
});

test('a profile whose old values are ambiguous is overwritten only where that is allowed', async () => {
  const unread = {
    ...operation('listBlocked'),
    id: 'readProfile',
    area: 'profile',
    path: '/v1/nowhere/{userId}',
  } as const;
  const skipped = await arrivals.during(async () => {
    const [result] = await run({ ...reversible(), readProfile: unread }, change);
    assert.equal(result?.verdict, 'skipped');
    assert.match(
      result?.reason ?? '',
      /updateProfile was not sent: .* GET \/v1\/nowhere\/\{userId\} does not show the old values/,
    );
  });
  assert.equal(profileUpdates(skipped), 0);
  const { readProfile: __, ...blind } = reversible();
  const [result] = await run(blind, change);
  assert.match(result?.reason ?? '', /its effect is overwriting, and ALLOWED_EFFECTS is read,reversible/);
  const before = await profile();
  const sent = await arrivals.during(() => run({ ...allowing('read', 'overwriting'), readProfile: unread }, change));
  assert.equal(profileUpdates(sent), 1);
  assert.notDeepEqual(await profile(), before);
  // Values left by the suite are not old values, and are not saved.
  assert.equal(profileUpdates(await arrivals.during(() => run(reversible(), change))), 0);
});
