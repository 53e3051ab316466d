import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/faults/fault-switch.ts';
import { onSuccess, withBody } from '../../../reference-service/faults/tamper.ts';
import { faults, seeded } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import { rawBody } from '../../call/index.ts';
import { withUsers } from '../../safety/index.ts';
import { operation } from '../../service/index.ts';
import { resultText } from '../../testing/play.ts';
import { safetyBench } from '../../testing/safety-bench.ts';
import { callService } from '../../testing/servers/call-service.ts';
import { runAll, scenarios } from '../index.ts';

const { allowing, arrivals, leaveBehind, own, pending, reversible, run, scenario, service, tell, undo } =
  await safetyBench();
const overwriting = allowing('read', 'overwriting');

const profileUpdates = (heard: readonly { method: string }[]) => heard.filter(({ method }) => method === 'PUT').length;

const change = scenario(
  async ({ profile: client, data }) => void (await client.updateProfile(data.profile()).succeeds()),
  'overwriting',
  '@restorable',
);

/** Reads the profile of the environment's own user. */
async function profile(): Promise<{ name: string; status: string; url: string; gender: number }> {
  const path = `/v1/profile/${own.caller.userId}`;
  const { json } = await callService(service, 'updateProfile', { method: 'GET', path });
  const { name, status, url, gender } = json;
  return { name, status, url, gender };
}

test('a profile that can be read is put back, also where only reversible is allowed, and after a failure', async () => {
  const before = await profile();
  const changes = (await scenarios()).filter(({ details }) => details.tag.includes('@restorable'));
  assert.ok(changes.length > 0);
  for (const environment of [reversible(), overwriting]) {
    for (const { title, verdict, exchanges } of await run(environment, ...changes)) {
      assert.equal(verdict, 'passed', title);
      assert.ok(profileUpdates(exchanges.map(({ request }) => request)) > 1, title);
    }
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
  assert.match(`${await tell(reversible(), failing)}`, /^failed/);
  assert.deepEqual([await profile(), pending()], [before, []]);
});

test('a run that has the users reads a profile before the first scenario that changes it, and restores it after the last or when it is stopped', async () => {
  const before = await profile();
  const changes = (await scenarios()).filter(({ details }) => details.tag.includes('@restorable'));
  const stops = changes.slice(0, 3).flatMap(({ title }) => [`started ${title}`, `finished ${title}`]);
  for (const stop of ['never', ...stops]) {
    const stopped = new AbortController();
    const pendingBetween = new Set<number>();
    const seen = (what: string, title: string) => {
      if (`${what} ${title}` === stop) stopped.abort();
      if (what === 'finished' && title !== changes.at(-1)?.title) pendingBetween.add(pending().length);
    };
    const events = {
      started: ({ title }: { readonly title: string }) => seen('started', title),
      finished: (_: string, { title }: { readonly title: string }) => seen('finished', title),
    };
    const options = { environment: overwriting, seed: stop, runId: stop, signal: stopped.signal, events };
    const lock = { say: () => {}, signal: stopped.signal };
    const results = await withUsers(overwriting, lock, (users) => runAll(changes, { ...options, users }));
    if (stop === 'never') {
      const sent = results.flatMap(({ exchanges }) => exchanges).filter(({ request }) => request.method === 'PUT');
      const restoring = sent.filter(({ request }) => !request.body?.includes('sextant-'));
      const shown = [results.map(resultText), restoring.length, [...pendingBetween]];
      assert.deepEqual(shown, [changes.map(() => 'passed'), 2, [1]], 'sent as it was found, and at the end');
    }
    assert.deepEqual([await profile(), pending()], [before, []], stop);
  }
});

test('each update counts as on its way until its response, though one record covers several', async () => {
  const twice = scenario(
    async ({ profile: client, data }) => {
      for (const _time of [1, 2]) await client.updateProfile(data.profile()).succeeds();
    },
    'overwriting',
    '@restorable',
  );
  const seen: unknown[] = [];
  arrivals.onArrival = () => {
    const [record, ...others] = pending();
    if (arrivals.all.at(-1)?.method === 'PUT') seen.push([record?.isAccepted, record?.isUndoSent, others.length]);
  };
  const resultText = await tell(reversible(), twice).finally(() => (arrivals.onArrival = () => {}));
  // The last request restores the profile, so the two before it are the scenario's updates.
  assert.deepEqual(
    [resultText, seen.slice(-3, -1)],
    [
      ['passed'],
      [
        [false, false, 0],
        [false, false, 0],
      ],
    ],
  );
});

test('a profile is put back after an update that was refused and one that was then accepted', async () => {
  const before = await profile();
  const refusedFirst = scenario(
    async ({ call, data }) => {
      await call('updateProfile', data.profile()).without('authorization').isRefused();
      await call('updateProfile', data.profile()).succeeds();
    },
    'overwriting',
    '@restorable',
  );
  for (const environment of [reversible(), overwriting]) {
    assert.match(`${await tell(environment, refusedFirst)}`, /^passed/);
    assert.deepEqual([await profile(), pending()], [before, []]);
  }
});

test('a profile with an empty text that the service refuses is changed only where overwriting is allowed, and all else is put back', async () => {
  const showsBlank: Fault = {
    name: 'shows-a-blank',
    operation: 'readProfile',
    respond: onSuccess((response) =>
      withBody(response, (profile) => ({ ...(profile as object), name: 'Ada', status: '', url: '/ada.png' })),
    ),
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
  const lost = await tell(overwriting, change);
  assert.match(`${lost}`, /^passed · the old status of the profile can’t be restored, because the service refuses/);
  assert.deepEqual(pending(), []);
  const unchanged = await arrivals.during(async () =>
    assert.match(`${await tell(reversible(), change)}`, /^skipped · .*or the service refuses them as they are/),
  );
  // The suite tried one update with unchanged values, and the service refused it.
  assert.equal(profileUpdates(unchanged), 1);
  service.faults.set();
  const { name, url } = await profile();
  assert.deepEqual({ name, url }, { name: 'Ada', url: '/ada.png' });
});

test('a field that no update takes away again is sent only where overwriting is allowed, and is named before', async () => {
  const adds = scenario(
    async ({ profile: client, data }) =>
      void (await client.updateProfile(rawBody({ ...data.profile(), extra: 'x' })).isDecided()),
    'overwriting',
    '@restorable',
  );
  const stays = 'extra may stay in the profile, because no update removes a field';
  const heard = await arrivals.during(async () => {
    const [resultText] = await tell(reversible(), adds);
    assert.match(`${resultText}`, new RegExp(`^skipped .*updateProfile was not sent: .*overwriting.*; ${stays}`));
  });
  assert.equal(profileUpdates(heard), 0);
  const [result] = await run(overwriting, adds);
  assert.ok(
    result?.notes?.some(({ text }) => text === stays),
    JSON.stringify(result?.notes),
  );
});

test('a profile that holds a credential, which no response shows, is not put back without it', async () => {
  const body = { includes: 'name;avartarUrl', name: 'Ada', url: `/ada.png?token=${seeded.caller.accessToken}` };
  await callService(service, 'updateProfile', { body });
  const heard = await arrivals.during(async () =>
    assert.match(`${await tell(reversible(), change)}`, /^skipped · .* does not show the old values/),
  );
  assert.equal(profileUpdates(heard), 0);
  assert.equal((await profile()).url, body.url);
  await callService(service, 'updateProfile', { body: { ...body, url: '/ada.png' } });
});

test('a profile that a killed run left changed is put back by the next, once, whatever allowed the change', async () => {
  for (const environment of [reversible(), overwriting]) {
    const args = { includes: 'name', name: `Ada ${environment.allowedEffects.size}` };
    const base = own.addresses.profile.href;
    leaveBehind({ change: 'updateProfile', undo: 'updateProfile', args, base });
    assert.equal(profileUpdates(await arrivals.during(() => undo(environment))), 1);
    assert.equal((await profile()).name, args.name);
  }
});

test('a profile that is put back without effect has failed at each look, and is put back by the first run after the repair', async () => {
  const body = { includes: PROFILE_INCLUDES.join(';'), name: 'Ada', status: 'at sea', url: '/ada.png', gender: 2 };
  await callService(service, 'updateProfile', { body });
  const before = await profile();
  for (const environment of [reversible(), overwriting]) {
    service.faults.set(faults.find(({ name }) => name === 'updateProfile-works-once') as Fault);
    for (const _look of [1, 2])
      assert.match(
        `${await tell(environment, change)}`,
        /^failed · .*: readProfile still shows what the suite wrote \(after updateProfile with the old values answered 200\)/,
      );
    assert.notDeepEqual(await profile(), before);
    assert.equal(pending().length, 1);
    service.faults.set();
    assert.deepEqual(await tell(environment, change), ['passed']);
    assert.deepEqual([await profile(), pending()], [before, []]);
  }
});

test('a profile whose old values are ambiguous is overwritten only where that is allowed', async () => {
  const path = '/v1/nowhere/{userId}';
  const readProfile = { ...operation('listBlocked'), id: 'readProfile', area: 'profile', path } as const;
  const { readProfile: _, ...blind } = reversible();
  const [skipped, sent] = [
    { ...reversible(), readProfile },
    { ...overwriting, readProfile },
  ];
  const before = await profile();
  const rows = [
    [skipped, /^skipped · updateProfile was not sent: .* GET \/v1\/nowhere\/\{userId\} does not show the old val/, 0],
    [blind, /^skipped · .*its effect is overwriting, and ALLOWED_EFFECTS is read,reversible/, 0],
    [sent, /^passed/, 1],
    // The profile now shows values that the suite made up, so the suite doesn't treat them as values to restore.
    [reversible(), /^skipped/, 0],
  ] as const;
  for (const [environment, says, updates] of rows) {
    const heard = await arrivals.during(async () => assert.match(`${await tell(environment, change)}`, says));
    assert.equal(profileUpdates(heard), updates, `${says}`);
  }
  assert.notDeepEqual(await profile(), before);
});
