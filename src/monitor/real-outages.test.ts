import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Fault } from '../../reference-service/index.ts';
import { areaIds } from '../spec/index.ts';
import { start, until } from '../testing/monitor/watched-service.ts';

/** A fault of every operation, or of some. */
const answers = (status: number, ...operations: readonly string[]): Fault[] =>
  operations.map((operation) => ({
    name: `${operation} answers ${status}`,
    operation: operation as NonNullable<Fault['operation']>,
    handle: () => () => ({ status, body: {} }),
  }));

async function watched(t: TestContext) {
  const all = await start(t, { everyMs: 400 });
  await until(async () => (await all.status()).status.description === 'All 3 scenarios up');
  const told = () => all.notices().map(({ kind, headline }) => `${kind}: ${headline.replace(/ after .*/, '')}`);
  return { ...all, told };
}

test('every operation of an address answers 503: one notice, which names the area, and one of its end', async (t) => {
  const { service, told, people } = await watched(t);
  service.faults.set(...answers(503, 'block', 'unblock', 'listBlocked', 'listBlockers'));
  await people.until(1);
  service.faults.set();
  await people.until(2);
  assert.deepEqual(told(), ['down: made: Friends answers 503', 'up: made: Friends works again']);
});

test('the whole host answers 503: one down, no more, one up', async (t) => {
  const { service, told, people, running } = await watched(t);
  const every = ['block', 'unblock', 'listBlocked', 'listBlockers', 'love', 'unlove', 'reportOptions', 'evaluate'];
  service.faults.set(...answers(503, ...every));
  await people.until(1);
  await until(() => running.monitor.recorder.incidents.open.some(({ open }) => open.length === 3));
  service.faults.set();
  await people.until(2);
  // What only changes something can't be asked.
  assert.match(told()[0] ?? '', new RegExp(`^down: made: 3 of ${areaIds.length} addresses answer 503$`));
  assert.deepEqual(
    told().map((line) => line.split(':')[0]),
    ['down', 'up'],
  );
  assert.equal(running.monitor.recorder.incidents.all.length, 1);
});

test('one operation answers 503: its name; another operation of the same address that does is another cause', async (t) => {
  const { service, told, people } = await watched(t);
  service.faults.set(...answers(503, 'unblock'));
  await people.until(1);
  assert.match(told()[0] ?? '', /^down: made: Friends: unblock answers 503 \(1 scenario\)/);
});

test('an expired token: one incident with the areas that refuse it, one scenario that goes on trying, and one end', async (t) => {
  const { service, told, people, running } = await watched(t);
  const withToken = ['block', 'unblock', 'listBlocked', 'listBlockers', 'love', 'unlove', 'reportOptions'];
  service.faults.set(...answers(401, ...withToken));
  await people.until(1);
  await until(() => running.monitor.recorder.scenarios.monitored.some(({ standing }) => standing.unjudgedSince));
  assert.deepEqual(told(), ['down: made: ACCESS_TOKEN is refused (401) in Friends and Stories']);
  service.faults.set();
  await people.until(2);
  assert.deepEqual(told()[1], 'up: made: ACCESS_TOKEN is accepted again');
  assert.equal(running.monitor.recorder.incidents.all.length, 1);
});

test('an unblock that is accepted and does nothing is what is named', async (t) => {
  const { service, told, people } = await watched(t);
  service.faults.set({ name: 'no effect', operation: 'unblock', handle: () => () => ({ status: 200, body: {} }) });
  await people.until(1);
  assert.equal(told()[0], 'down: made: Friends: unblock is accepted and never shows in listBlocked (1 scenario)');
});
