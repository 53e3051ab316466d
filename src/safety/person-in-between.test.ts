import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onSuccess, withBody } from '../../reference-service/faults/tamper.ts';
import { seeded } from '../../reference-service/index.ts';
import { serviceReadings } from '../../reference-service/readings/index.ts';
import type { Facts } from '../facts/index.ts';
import { type ScenarioResult, scenarios } from '../run/index.ts';
import { resultText } from '../testing/play.ts';
import { answers, safetyBench } from '../testing/safety-bench.ts';
import { callService } from '../testing/servers/call-service.ts';
import { factsOf } from '../testing/test-environment.ts';
import { withUsers } from './users-run.ts';

const { own, pending, run, runAs, service } = await safetyBench();
const refusing = serviceReadings.changeAgain.refused.changes('');
const environment = { ...own, consistencyTimeoutMs: 300 };
const friend = { friendId: seeded.friend.userId };
const story = { storyId: seeded.story };

/** Plays every scenario whose changes can be undone or restored, all in one run. */
async function check(): Promise<string[]> {
  const all = (await scenarios()).filter(({ details: { tag } }) =>
    ['@reversible', '@restorable'].some((each) => tag.includes(each)),
  );
  const options = { say: assert.fail, isReported: true };
  const results = await withUsers(environment, options, (users) => runAs(users, environment, ...all));
  return results.map(resultText).filter((text) => !/^(passed|skipped|slow)/.test(text));
}

async function blocked(): Promise<boolean> {
  const { json } = await callService(service, 'listBlocked', { method: 'GET', path: '/v1/friends/block/0/100' });
  return JSON.stringify(json).includes(friend.friendId);
}

async function profile(): Promise<object> {
  const path = `/v1/profile/${own.caller.userId}`;
  const { json } = await callService(service, 'updateProfile', { method: 'GET', path });
  const { name, status, url, gender } = json;
  return { name, status, url, gender };
}

const edit = (name: string) =>
  callService(service, 'updateProfile', { body: { includes: 'name;status', name, status: `${name} is here` } });

for (const [how, faults] of [
  ['accepts a repeated change', []],
  ['refuses a repeated change', refusing],
] as const)
  test(`what a person blocks, loves and writes between two runs is there afterwards, on a service that ${how}`, async () => {
    service.faults.set(...faults);
    assert.deepEqual(await check(), []);
    await callService(service, 'block', { body: friend });
    await edit('Ada');
    const before = await profile();
    for (const _round of [1, 2]) {
      // If the service accepts a second love, a run can't know that a person had loved the story before, and undoes the person's love, too.
      // So the story is loved only if the service refuses a second love.
      if (faults.length > 0) await callService(service, 'love', { body: story });
      assert.deepEqual(await check(), []);
      assert.ok(await blocked());
      assert.deepEqual([await profile(), pending()], [before, []]);
      if (faults.length > 0) assert.equal((await callService(service, 'love', { body: story })).status, 409);
    }
    await callService(service, 'unblock', { body: friend });
    await callService(service, 'unlove', { body: story });
  });

test('a profile that a person writes while a run is going on, before a scenario touches it, is there afterwards', async () => {
  const updates = (await scenarios()).filter(({ details: { tag } }) => tag.includes('@restorable'));
  await withUsers(environment, { say: assert.fail }, async (users) => {
    await runAs(users, environment, ...updates);
    await edit('Eva');
    const before = await profile();
    await runAs(users, environment, ...updates);
    assert.deepEqual([await profile(), pending()], [before, []]);
  });
});

test('what a scenario does besides its spec is in its result, as steps', async () => {
  service.faults.set(...refusing);
  await callService(service, 'block', { body: friend });
  await callService(service, 'love', { body: story });
  const steps = async (title: string) => {
    const [scenario] = (await scenarios()).filter((each) => each.title === title);
    assert.ok(scenario);
    const [result] = await run(environment, scenario);
    return result?.steps?.map(({ at, what }) => `${at}: ${what.replaceAll(own.caller.userId, 'the caller')}`);
  };
  assert.deepEqual(await steps('block, then list, then unblock'), [
    "start: check that listBlocked of the caller names none of the scenario's users",
    `end: re-create block ${JSON.stringify(friend)} of the caller`,
  ]);
  assert.deepEqual(await steps('love, then unlove'), [
    'body: love was refused: one undo and one repeat show whether it was made before',
    `end: re-create love ${JSON.stringify(story)} of the caller`,
  ]);
  assert.deepEqual(await steps('update profile'), [
    'start: read the profile of the caller, to restore it at the end',
    'end: restore the profile of the caller',
  ]);
  await callService(service, 'unblock', { body: friend });
  await callService(service, 'unlove', { body: story });
});

test('a profile that can’t be put back is named, with what it was, before it is overwritten', async () => {
  service.faults.set({
    name: 'shows no status',
    operation: 'readProfile',
    respond: onSuccess((response) => withBody(response, () => ({ userId: own.caller.userId, name: 'Ada' }))),
  });
  const [update] = (await scenarios()).filter((each) => each.title === 'update profile');
  assert.ok(update);
  const [result] = await run(environment, update);
  assert.match(
    result?.warnings?.join() ?? '',
    /the profile of \S+ can’t be restored: GET \/v1\/profile\/\{userId\} shows no status, url, gender; before the run it was \{.*"name":"Ada"/,
  );
});

test('a profile with values of the suite alone is named without them, because nobody loses anything', async () => {
  const shown = { userId: own.caller.userId, name: 'sextant-abc123', status: 'sextant-def456' };
  const respond = onSuccess((response) => withBody(response, () => shown));
  service.faults.set({ name: 'shows its values alone', operation: 'readProfile', respond });
  const [update] = (await scenarios()).filter((each) => each.title === 'update profile');
  const [result] = await run(environment, update ?? assert.fail());
  assert.match(result?.warnings?.join() ?? '', /can’t be restored: GET \S+ shows no url, gender(,|$)/);
});

test('a profile that is shown under other names is overwritten once a fact tells them, and put back', async () => {
  const ada = { name: 'Ada', status: 'Ada is here', url: 'https://a.test/1.png', gender: 1 };
  await callService(service, 'updateProfile', { body: { includes: 'name;status;avartarUrl;gender', ...ada } });
  const renamed = ({ name, status, ...rest }: Readonly<Record<string, unknown>>) => ({
    ...rest,
    displayName: name,
    statusText: status,
  });
  const respond = onSuccess((response) =>
    withBody(response, (shown) => renamed(shown as Readonly<Record<string, unknown>>)),
  );
  service.faults.set({ name: 'other names', operation: 'readProfile', respond });
  const [update] = (await scenarios()).filter((each) => each.title === 'update profile');
  assert.ok(update);
  const [without] = await run(environment, update);
  assert.match(
    resultText(without as ScenarioResult),
    /^skipped · updateProfile was not sent: GET \S+ shows no name, status under a documented name, .*; add a fact about profile-names/,
  );
  const known = factsOf('updateProfile profile-names: name is displayName, status is statusText');
  const [result] = await run({ ...environment, facts: (environment.facts as Facts).with(known) }, update);
  assert.equal(result?.verdict, 'passed', result?.reason);
  service.faults.set();
  assert.deepEqual([await profile(), pending()], [ada, []]);
});

test('an undo that was accepted is not sent again in the clean-up; one that was refused is', async () => {
  const [scenario] = (await scenarios()).filter(({ title }) => title === 'love, then unlove');
  assert.ok(scenario);
  const undos = async () =>
    (await run(environment, scenario))[0]?.exchanges.filter(({ operation }) => operation === 'unlove').length;
  service.faults.set();
  assert.equal(await undos(), 2);
  service.faults.set(answers('unlove', 422));
  assert.equal(await undos(), 3);
  service.faults.set();
  await withUsers(environment, { say: assert.fail }, async () => {});
  assert.deepEqual(pending(), []);
});
