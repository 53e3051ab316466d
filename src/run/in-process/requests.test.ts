import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Environment } from '../../environment/index.ts';
import { withUsers } from '../../safety/index.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment, newItems } from '../../testing/test-environment.ts';
import { runAll, scenarios } from '../index.ts';

const service = await ownService();
/** A long time-out, so that a busy machine doesn't look like an outage. */
const patient = { requestTimeoutMs: 600_000 };

/** Runs all scenarios except those that check facts, and returns the number of requests. */
async function requestsOf(environment: Environment): Promise<number> {
  const all = await scenarios();
  const say = (line: string) => assert.fail(line);
  const options = { environment, seed: '1', runId: randomUUID() };
  const results = await withUsers(environment, { say }, (users) => runAll(all, { ...options, users }));
  const isRed = ({ verdict }: (typeof results)[number]) => !['passed', 'skipped'].includes(verdict);
  assert.deepEqual(
    results.filter(isRed).map(({ title, reason }) => [title, reason]),
    [],
  );
  return results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}

test('a check of everything sends few requests where each scenario has users of its own', async () => {
  const requests = await requestsOf(embeddedEnvironment(service, patient));
  assert.ok(requests <= 135, `${requests} requests`);
});

test('it sends few more with fixed users, whose lists and profiles are read and restored once for all scenarios', async () => {
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service, patient);
  const storedItemIds = await newItems(service, 10);
  const requests = await requestsOf({ ...environment, data: { ...environment.data, storedItemIds } });
  assert.ok(requests <= 140, `${requests} requests`);
});
