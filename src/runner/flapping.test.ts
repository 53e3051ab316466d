import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Fault } from '../../reference-service/index.ts';
import { operationIds } from '../spec/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { overallVerdict, runAll, type ScenarioResult, scenarios } from './index.ts';

const service = await ownService();

async function check(glob: RegExp, consistencyTimeoutMs: number): Promise<ScenarioResult[]> {
  const environment = embeddedEnvironment(service, { consistencyTimeoutMs });
  const some = (await scenarios()).filter(({ title }) => glob.test(title));
  return runAll(some, { environment, seed: randomUUID(), runId: randomUUID() });
}

/** The list is empty in every answer but each `rightEvery`th. */
function flappingList(rightEvery: number): Fault {
  let answers = 0;
  return {
    name: 'the list flaps',
    operation: 'listBlocked',
    handle: (honest) => (visit) => (++answers % rightEvery === 0 ? honest(visit) : { status: 200, body: [] }),
  };
}

const rows: [name: string, rightEvery: number, mayLagMs: number, said: RegExp][] = [
  ['a list that flaps passes while it is right within the time that it may lag behind', 2, 10_000, /^passed/],
  [
    'a list that is still wrong when that time is over has failed',
    1_000,
    200,
    /^failed documented: the list mentions a friend just blocked — .* not found in 0 entries/,
  ],
];

for (const [name, rightEvery, mayLagMs, said] of rows)
  test(name, async () => {
    service.faults.set(flappingList(rightEvery));
    const [result] = await check(/^block, then list/, mayLagMs);
    assert.match(`${result?.verdict} ${result?.reason}`, said);
  });

test('where every tenth request fails, who met one has failed, and the others have passed', async () => {
  let requests = 0;
  const faults = operationIds.map((operation): Fault => {
    const handle: Fault['handle'] = (honest) => (visit) =>
      ++requests % 10 === 0 ? { status: 500, body: {} } : honest(visit);
    return { name: `${operation} fails now and then`, operation, handle };
  });
  service.faults.set(...faults);
  const results = await check(/./, 2_000);
  const met = results.filter(({ exchanges }) => exchanges.some(({ response }) => response?.status === 500));
  assert.ok(met.length > 0 && met.length < results.length);
  for (const result of results) {
    assert.equal(result.verdict, met.includes(result) ? 'failed' : 'passed', result.title);
    if (result.verdict === 'failed') assert.match(result.reason ?? '', /500 Internal Server Error/);
  }
  assert.equal(overallVerdict(results.map(({ verdict }) => verdict)), 'failed');
});
