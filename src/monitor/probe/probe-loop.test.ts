import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../config/index.ts';
import type { Scenario } from '../../runner/index.ts';
import { runMonitor, until } from '../../testing/monitor/watched-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';

/** Monitors one scenario in two environments; how many of its runs ended, and how many took place at once at most. */
async function watched(t: TestContext, effect: '@read' | '@reversible', environments: readonly Environment[]) {
  const seen = { runs: 0, now: 0, most: 0 };
  const scenario: Scenario = {
    title: 'made for a test',
    file: 'made.spec.ts',
    details: { tag: ['@friends', effect] },
    body: async () => {
      seen.most = Math.max(seen.most, ++seen.now);
      await wait(20);
      seen.now--;
      seen.runs++;
    },
  };
  const { end } = await runMonitor(environments, [scenario], { everyMs: 25 });
  t.after(end);
  return seen;
}

const of = (name: string, user: string) => ({ ...testEnvironment('http://127.0.0.1:1', { USER_ID: user }), name });
const oneUser = [of('east', 'ada'), of('west', 'ada')];

test('scenarios that change something as the same users never run at once in two environments', async (t) => {
  const same = await watched(t, '@reversible', oneUser);
  const other = await watched(t, '@reversible', [of('north', 'ben'), of('south', 'eve')]);
  const reading = await watched(t, '@read', oneUser);
  await until(() => same.runs > 20 && other.most === 2 && reading.most === 2);
  assert.equal(same.most, 1);
});
