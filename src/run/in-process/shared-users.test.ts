import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Environment, loadEnvironment } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { resultText } from '../../testing/play.ts';
import { titled } from '../../testing/safety-bench.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment, newItems } from '../../testing/test-environment.ts';
import { runAll, usedUpOnce } from '../index.ts';

const service = await ownService();

const { provisionUrl: _, ...shared } = embeddedEnvironment(service);

async function round(environment: Environment, played = /./): Promise<Record<string, string>> {
  const runId = String(Math.random());
  const results = await runAll(await titled(played), { environment, seed: runId, runId });
  return Object.fromEntries(results.map((result) => [result.title, resultText(result)]));
}

const lacksSecond = /^skipped · needs a stored item to delete: STORED_ITEM_IDS has [01] unused of 2 ids/;
const usedUp = /^unknown · the suite could not judge: STORED_ITEM_IDS has 0 unused of 2 ids: give fresh ids/;
const needsThird = /^skipped · needs a third user who can sign in: PROVISION_URL$/;

test('without a provisioner all pass as the environment’s own users; each stored item is used once', async () => {
  for (const item of [1, 2]) {
    const { 'delete by id': verdict, ...others } = await round(shared);
    assert.equal(verdict, 'passed', `item ${item}`);
    for (const other of Object.values(others))
      assert.ok(other === 'passed' || lacksSecond.test(other) || needsThird.test(other), other);
  }
  const last = await round(shared, /^delete (by id|one of two items, then the other)$/);
  assert.equal(Object.keys(last).length, 2);
  for (const verdict of Object.values(last)) assert.match(verdict, usedUp);
});

test('KEEP_ITEMS=yes keeps an environment from all that can’t be undone, whatever it allows, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-keep-'));
  const local = readFileSync(join(projectRoot, 'environments', 'local.env'), 'utf8').replace(/^PROVISION_URL.*/m, '');
  writeFileSync(join(folder, 'kept.env'), `${local}\nKEEP_ITEMS=yes\n`);
  const kept = { ...loadEnvironment('kept', { folder }), addresses: shared.addresses };
  const verdicts = await round(kept, /^(delete by id|clone type|love, then unlove)$/);
  const left = 'skipped · not allowed in kept: KEEP_ITEMS=yes';
  assert.deepEqual(verdicts, { 'clone type': left, 'delete by id': left, 'love, then unlove': 'passed' });
});

test('what an environment lacks skips the scenarios that need it, with the reason', async () => {
  const { readProfile: _, friend: __, data, ...rest } = shared;
  const none = { storyId: undefined, reportLanguage: undefined, flagKey: undefined, typeName: undefined };
  const verdicts = await round({ ...rest, friend: {}, data: { ...data, ...(none as object) } });
  const expected = {
    'love, then unlove': 'skipped · needs STORY_ID',
    'read-only round': 'skipped · needs REPORT_LANGUAGE',
    'evaluate a flag that exists': 'skipped · needs FLAG_KEY',
    'clone type': 'skipped · needs TYPE_NAME',
    'update profile, then read it back': 'skipped · needs FRIEND_PROFILE_REQUEST',
    'update profile': 'passed',
    // Without a second user, the suite invents a friend, who can be blocked but can't sign in.
    'block, then list, then unblock': 'passed',
    'who blocked me': 'skipped · needs a second user: FRIEND_USER_ID and FRIEND_ACCESS_TOKEN, or PROVISION_URL',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((title) => [title, verdicts[title]])), expected);
});

test('what a run uses up at least is said with figures, and is so', async () => {
  const environment = { ...shared, data: { ...shared.data, storedItemIds: await newItems(service, 20) } };
  const lasting = (await titled(/./)).filter(({ details: { tag } }) => tag.includes('@irreversible'));
  const text = usedUpOnce(environment, lasting) ?? '';
  const [, items, clones, reports] =
    /^deletes at least (\d+) stored items? \(STORED_ITEM_IDS has 20\) and leaves at least (\d+) clones? and (\d+) reports? for good$/.exec(
      text,
    ) ?? [];
  const results = await runAll(lasting, { environment, seed: '1', runId: 'figures' });
  const accepted = (id: string) =>
    results
      .flatMap(({ exchanges }) => exchanges)
      .filter(({ operation, response }) => operation === id && (response?.status ?? 500) < 300);
  for (const [id, least] of [
    ['deleteItem', items],
    ['cloneType', clones],
    ['report', reports],
  ] as const) {
    const used = accepted(id).length;
    assert.ok(Number(least) > 0 && used >= Number(least), `${text}, and ${id} was accepted ${used} times`);
  }
  assert.equal(usedUpOnce({ ...environment, provisionUrl: new URL(service.provisionUrl) }, lasting), undefined);
  assert.equal(usedUpOnce({ ...environment, allowedEffects: new Set(['read']) }, lasting), undefined);
});
