import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, ownReadProfile, seeded } from '../../../reference-service/index.ts';
import { committedMatrix } from '../../../tools/drill/matrix.ts';
import type { Environment } from '../../environment/index.ts';
import { Facts } from '../../facts/index.ts';
import { scenarios } from '../../run/index.ts';
import { operationIds } from '../../service/index.ts';
import { asCaller, callService } from '../../testing/servers/call-service.ts';
import { startForwardProxy } from '../../testing/servers/forward-proxy.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { drillService, type ServiceDrillOptions } from './drill-service.ts';
import { wireFaults } from './faults.ts';
import { playedFor } from './plan.ts';

const service = await ownService();

/** Drills the faults whose names match `names`. */
async function drilled(
  names: RegExp,
  { changes, ...options }: Partial<ServiceDrillOptions> & { readonly changes?: Partial<Environment> } = {},
) {
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service, changes);
  const faults = wireFaults(environment.readProfile).filter(({ name }) => names.test(name));
  const played = playedFor(faults, [...(await scenarios()), ...(await scenarios('auth'))]);
  return drillService({ environment, scenarios: played, faults, seed: 's', ...options });
}

test('each operation is out of order in four ways, each change swallowed, each list without it, each header unchecked', () => {
  const faults = wireFaults(ownReadProfile);
  assert.ok(faults.length >= 60 && faults.length <= 120, `${faults.length} faults`);
  assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
  const served = new Set(faults.map(({ operation }) => operation.id));
  // Rows 11 and 12 of the specification are one request. `readProfile` is included, because `ownReadProfile` says how to read a profile.
  assert.deepEqual(served, new Set([...operationIds.filter((id) => id !== 'getFriendProfile'), 'readProfile']));
  const count = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
  assert.deepEqual(['answer', 'wire', 'state', 'list', 'auth'].map(count), [28, 28, 9, 2, 13]);
});

test('faults that both drills have get the same verdict, with fixed users and with those of a provisioner', async () => {
  const known = new Map(committedMatrix().faults.map(({ name, caughtBy }) => [name, caughtBy.length > 0]));
  // Leaves out faults with `survives`. On the wire they are invisible, because the drill's own response reports success. In the reference
  // service they may be visible, because its response may show that nothing was done.
  const shared = wireFaults(ownReadProfile).filter(({ name, survives }) => known.has(name) && !survives);
  assert.ok(shared.length >= 15, `${shared.length} names in common`);
  const names = new RegExp(`^(${shared.map(({ name }) => name).join('|')})$`);
  // The drill overwrites no empty texts, because a service may refuse to restore them, so both profiles get texts first.
  for (const { userId, accessToken } of [seeded.caller, seeded.friend]) {
    const headers = { ...asCaller, authorization: `Bearer ${accessToken}`, 'mm-user-id': userId };
    const body = {
      name: userId,
      status: 'sailing',
      url: 'https://a.test/1.png',
      gender: 2,
      includes: 'name;status;avartarUrl;gender',
    };
    assert.equal((await callService(service, 'updateProfile', { body, headers })).status, 200);
  }
  const quick = { consistencyTimeoutMs: 300 };
  const whole = embeddedEnvironment(service, quick);
  for (const options of [{ changes: quick }, { environment: whole }]) {
    const { outcomes } = await drilled(names, options);
    assert.equal(outcomes.length, shared.length);
    for (const { name, caught, reason } of outcomes) assert.equal(caught, known.get(name), `${name}: ${reason}`);
  }
});

test('what was learned catches a header that is no longer checked', async () => {
  const asked = { operation: 'evaluate', question: 'missing-header:mm-api-key', answer: 'refused' };
  const facts = new Facts([{ ...asked, evidence: 'a test', askedAt: '2026-11-28' }]);
  const [one] = (
    await drilled(/^evaluate-mm-api-key-unchecked$/, { changes: { facts }, scenarios: await scenarios('facts') })
  ).outcomes;
  assert.deepEqual([one?.by, one?.reason], ['what a survey found of feature toggles is still so (read)', 'drifted']);
});

test('what would last is not sent', async () => {
  const sent: string[] = [];
  const arrive: Fault['arrive'] = () => (request) => void sent.push(request.url);
  service.faults.set(
    ...(['deleteItem', 'report', 'cloneType', 'saveAvatar'] as const).map((operation) => ({
      ...{ name: operation, operation, arrive },
    })),
  );
  const { outcomes } = await drilled(/^((deleteItem|report|cloneType|saveAvatar)-answers-500|cloneType-.*-unchecked)$/);
  assert.deepEqual(
    outcomes.map(({ caught, reason }) => [caught, reason]),
    outcomes.map(() => [true, 'failed']),
  );
  assert.deepEqual([outcomes.length, sent], [6, []]);
});

test('requests to the service take the proxy of the environment', async () => {
  let arrived = 0;
  const arrive: Fault['arrive'] = () => () => void arrived++;
  service.faults.set({ name: 'counts', operation: 'all', arrive });
  const proxy = await startForwardProxy();
  const route = { proxyFor: () => ({ url: new URL(proxy.address) }), pins: [], tls: {} };
  const { outcomes } = await drilled(/^(block-answers-500|listBlocked-drops-the-ids)$/, { changes: { route } });
  await proxy.stop();
  assert.deepEqual(
    outcomes.map(({ caught }) => caught),
    [true, true],
  );
  assert.ok(arrived > 0);
  assert.equal(proxy.seen.length, arrived);
});

/** The moment at which the drill is stopped: while the service carries out a block, or before it sends the response. */
const stops: Readonly<Record<string, (stop: () => void) => Pick<Fault, 'arrive' | 'respond'>>> = {
  'as the request arrives': (stop) => ({
    arrive: () => async () => {
      stop();
      await wait(30);
      return undefined;
    },
  }),
  'once it is done': (stop) => ({
    respond: () => (response) => {
      stop();
      return response;
    },
  }),
};

for (const [when, stopping] of Object.entries(stops))
  test(`a drill that is stopped in the middle of a change takes it back: ${when}`, async () => {
    const controller = new AbortController();
    let left = 2;
    // The drill first plays the scenario without a fault, which sends one block. So stop at the second block.
    const stop = () => void (--left === 0 && controller.abort());
    service.faults.set({ name: 'stops', operation: 'block', ...stopping(stop) });
    const one = (await scenarios()).filter(({ title }) => title === 'block, then list, then unblock');
    await drilled(/^listBlocked-drops-the-ids$/, { scenarios: one, signal: controller.signal });
    assert.equal(left <= 0, true, 'it was stopped');
    service.faults.set();
    const { json } = await callService(service, 'listBlocked', { path: '/v1/friends/block/0/10' });
    assert.deepEqual(json, []);
  });

test('an environment that allows less is told what keeps a fault out of sight', async () => {
  const { outcomes, requests } = await drilled(/^(love|listBlocked)-answers-500$/, {
    changes: { allowedEffects: new Set(['read']) },
  });
  const rows = outcomes.map(({ name, caught, by }) => [name, caught, by !== null]);
  assert.deepEqual(rows, [
    ['listBlocked-answers-500', true, true],
    ['love-answers-500', false, false],
  ]);
  assert.match(
    outcomes[1]?.reason ?? '',
    /not allowed in local: its effect is reversible, and ALLOWED_EFFECTS is read/,
  );
  assert.ok(requests > 0);
});
