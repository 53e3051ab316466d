import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '../config/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runAll, scenarios } from './index.ts';

const service = await ownService();

const { provisionUrl: _, ...shared } = embeddedEnvironment(service);

async function round(environment: Environment): Promise<Record<string, string>> {
  const runId = String(Math.random());
  const results = await runAll(await scenarios(), { environment, seed: runId, runId });
  return Object.fromEntries(
    results.map(({ title, verdict, reason }) => [title, reason ? `${verdict}: ${reason}` : verdict]),
  );
}

const lacksSecond = /^skipped: needs a stored item to delete: STORED_ITEM_IDS has [01] unused of 2 ids/;
const usedUp = /^unknown: the suite could not judge: STORED_ITEM_IDS has 0 unused of 2 ids: give fresh ids/;
const needsThird = /^skipped: needs a third user who can sign in: PROVISION_URL$/;

test('without a provisioner all pass as the environment’s own users; each stored item is used once', async () => {
  for (const item of [1, 2]) {
    const { 'delete by id': verdict, ...others } = await round(shared);
    assert.equal(verdict, 'passed', `item ${item}`);
    for (const other of Object.values(others))
      assert.ok(other === 'passed' || lacksSecond.test(other) || needsThird.test(other), other);
  }
  const { 'delete by id': last, 'delete one of two items, then the other': two, ...others } = await round(shared);
  for (const verdict of [last, two]) assert.match(verdict ?? '', usedUp);
  for (const other of Object.values(others)) assert.ok(other === 'passed' || needsThird.test(other), other);
});

test('without a second user, an invented friend serves, and what needs the friend’s eyes is skipped', async () => {
  const verdicts = await round({ ...shared, friend: {} });
  assert.equal(verdicts['block, then list, then unblock'], 'passed');
  assert.match(verdicts['who blocked me'] ?? '', /^skipped: needs a second user/);
});

const lacking: [key: string, titles: string[], change: Partial<Environment['data']>][] = [
  ['STORY_ID', ['love, then unlove', 'fetch options, then report'], { storyId: undefined as never }],
  ['REPORT_LANGUAGE', ['fetch options, then report', 'read-only round'], { reportLanguage: undefined as never }],
  ['FLAG_KEY', ['evaluate a flag that exists'], { flagKey: undefined as never }],
  ['TYPE_NAME', ['clone type'], { typeName: undefined as never }],
];

for (const [key, titles, change] of lacking) {
  test(`without ${key}: ${titles.join(', ')} skipped with the reason`, async () => {
    const verdicts = await round({ ...shared, data: { ...shared.data, ...change } });
    for (const title of titles) assert.equal(verdicts[title], `skipped: needs ${key}`);
  });
}

test('without FRIEND_PROFILE_REQUEST nothing is read back, and says so', async () => {
  const { readProfile: __, ...silent } = shared;
  const verdicts = await round(silent);
  assert.equal(verdicts['update profile, then read it back'], 'skipped: needs FRIEND_PROFILE_REQUEST');
  assert.equal(verdicts['update profile'], 'passed');
});
