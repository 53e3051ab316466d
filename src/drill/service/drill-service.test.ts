import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../../reference-service/index.ts';
import type { Environment } from '../../config/index.ts';
import { type Scenario, scenarios } from '../../runner/index.ts';
import { callService } from '../../testing/servers/call-service.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { committedMatrix } from '../matrix.ts';
import { wireFaults } from '../wire/faults.ts';
import { drillService } from './drill-service.ts';
import type { ServiceDrillOptions } from './options.ts';
import { playedFor } from './plan.ts';

const service = await ownService();

const all = async (): Promise<Scenario[]> => [...(await scenarios()), ...(await scenarios('auth'))];

/** Every so many of the faults that both drills have. */
const OF = 8;

test('faults that both drills have get the same verdict', async (t) => {
  const known = new Map(committedMatrix().faults.map(({ name, caughtBy }) => [name, caughtBy.length > 0]));
  const environment = embeddedEnvironment(service, { consistencyTimeoutMs: 300 });
  const shared = wireFaults(environment.readProfile).filter(({ name }) => known.has(name));
  assert.ok(shared.length >= 97, `${shared.length} names in common`);
  const faults = shared.filter((_, index) => index % OF === 0);
  const { outcomes } = await drillService({
    environment,
    scenarios: playedFor(faults, await all()),
    faults,
    seed: 'both',
  });
  t.diagnostic(`${outcomes.length} of ${shared.length}`);
  assert.equal(outcomes.length, faults.length);
  for (const { name, became, reason } of outcomes)
    assert.equal(became === 'caught', known.get(name), `${name}: ${reason}`);
});

/** Drills the faults of some names on a service without a provisioner. */
async function drilled(
  names: RegExp,
  { changes, ...options }: Partial<ServiceDrillOptions> & { readonly changes?: Partial<Environment> } = {},
) {
  const { provisionUrl: _, ...environment } = embeddedEnvironment(service, changes);
  const faults = wireFaults(environment.readProfile).filter(({ name }) => names.test(name));
  return drillService({ environment, scenarios: await scenarios(), faults, seed: 's', ...options });
}

test('what would last is not sent', async () => {
  const sent: string[] = [];
  const arrive: Fault['arrive'] = () => (request) => void sent.push(request.url);
  service.faults.set({ name: 'notes', operation: 'deleteItem', arrive });
  const { outcomes } = await drilled(/^deleteItem-answers-500$/);
  assert.deepEqual([outcomes.map(({ became }) => became), sent], [['caught'], []]);
});

/** When the drill is stopped: while the service carries out a block, or before its response is sent. */
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
    // The first block is that of the healthy run.
    const stop = () => void (--left === 0 && controller.abort());
    service.faults.set({ name: 'stops', operation: 'block', ...stopping(stop) });
    const one = (await scenarios()).filter(({ title }) => title === 'block, then list, then unblock');
    await drilled(/^block-is-slow$/, { scenarios: one, signal: controller.signal });
    assert.equal(left <= 0, true, 'it was stopped');
    service.faults.set();
    const { json } = await callService(service, 'listBlocked', { path: '/v1/friends/block/0/10' });
    assert.deepEqual(json, []);
  });

test('an environment that allows less is told what keeps a fault out of sight', async () => {
  const { outcomes, requests } = await drilled(/^(love|listBlocked)-answers-500$/, {
    changes: { allowedEffects: new Set(['read']) },
  });
  assert.deepEqual(
    outcomes.map(({ name, became }) => [name, became]),
    [
      ['listBlocked-answers-500', 'caught'],
      ['love-answers-500', 'unseen'],
    ],
  );
  assert.match(
    outcomes[1]?.reason ?? '',
    /not allowed in local: its effect is reversible, and ALLOWED_EFFECTS is read/,
  );
  assert.ok(requests > 0);
});

test('a profile with empty texts is changed where the service takes them back', async () => {
  const { outcomes } = await drilled(/^updateProfile-not-written$/, { changes: { consistencyTimeoutMs: 300 } });
  assert.deepEqual(
    outcomes.map(({ became }) => became),
    ['caught'],
  );
});
