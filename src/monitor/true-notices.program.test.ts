import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Fault, type Service, startService } from '../../reference-service/index.ts';
import { quickSettings, temporaryFolder } from '../testing/monitor/fakes.ts';
import { receiver } from '../testing/monitor/receiver.ts';
import { monitoredTitles, titled, until } from '../testing/monitor/watched-service.ts';
import { freePortsInARow } from '../testing/programs/run-command.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { webhook } from './alerting/channels/webhook.ts';
import type { Notice } from './alerting/notice.ts';
import { startMonitor } from './start.ts';

const brokenLove: Fault = { name: 'love 500', operation: 'love', handle: () => () => ({ status: 500, body: {} }) };
const brokenBlock: Fault = {
  name: 'no list',
  operation: 'listBlocked',
  handle: () => () => ({ status: 500, body: {} }),
};
const swallowedUnblock: Fault = {
  name: 'swallowed',
  operation: 'unblock',
  handle: () => () => ({ status: 200, body: { ok: true } }),
};

/** A service that can be gone and come back at the same ports. */
async function restartable() {
  const port = await freePortsInARow();
  let service: Service | undefined = await startService({ port, quiet: true });
  const gone = async () => {
    await service?.stop();
    service = undefined;
  };
  return {
    first: service,
    gone,
    back: async () => {
      service = await startService({ port, quiet: true });
    },
  };
}

test('what is told of partial recoveries, renames and maintenance is true, on the monitor as it runs', async (t) => {
  const { path, end } = temporaryFolder();
  const people = await receiver();
  const names = ['one', 'two', 'three', 'four', 'parts', 'renamed', 'window', 'swallow'] as const;
  const services = new Map<string, Awaited<ReturnType<typeof restartable>>>();
  for (const name of names) services.set(name, await restartable());
  const of = (name: (typeof names)[number]) => services.get(name) ?? assert.fail(name);
  const environments = names.map((name) => embeddedEnvironment(of(name).first, { name, consistencyTimeoutMs: 50 }));
  const chosen = await titled(monitoredTitles);
  const settings = quickSettings(join(path, 'data'), {
    everyMs: 300,
    channels: new Map([['webhook', webhook.open({ WEBHOOK_URL: people.url })]]),
    rule: { downAfter: 1, upAfter: 1, remindAfterMs: 3_600_000, gatherMs: 0 },
  });
  const begin = (titles = monitoredTitles) =>
    startMonitor({
      environments,
      scenarios: chosen.filter(({ title }) => titles.includes(title)),
      settings,
      say: () => {},
    });
  let running = await begin();
  t.after(async () => {
    await running.stop();
    for (const { gone } of services.values()) await gone();
    people.end();
    end();
  });
  let read = 0;
  const all = () => people.received.map(({ body }) => JSON.parse(body) as Notice);
  const lines = (from = read) =>
    all()
      .slice(from)
      .map(({ kind, headline }) => `${kind}: ${headline}`);
  /** Waits for a notice since the last one that was waited for; returns all up to it. */
  const told = async (expected: RegExp): Promise<string[]> => {
    await until(() => lines().some((line) => expected.test(line)));
    const found = lines();
    read += found.length;
    return found;
  };
  const standings = (environment: string) =>
    running.monitor.recorder.scenarios.monitoredIn(environment).map(({ standing }) => standing);
  const isDown = (environment: string) => standings(environment).some(({ down }) => down.on);
  const isWhollyDown = (environment: string) => standings(environment).every(({ down }) => down.on);
  const isWell = (environment: string) =>
    standings(environment).every(({ judged, down, skipped }) => judged && !down.on && !skipped);
  await until(() => names.every(isWell));

  await t.test('two environments of one host, one stays down: only the other is said to be back', async () => {
    await of('one').gone();
    await told(/^down: one: nothing answers/);
    await of('two').gone();
    await told(/^(down|more): .*two/);
    await until(() => isWhollyDown('two'));
    await of('two').back();
    await until(() => isWell('two'));
    for (const line of await told(/^(up|part): .*two/))
      assert.doesNotMatch(line, /one( and two)?(:| is| are) .*(back|again)/);
    assert.ok(isDown('one'));
    await of('one').back();
    await told(/^(up|part): .*one/);
    await until(() => isWell('one'));
  });

  await t.test('both go, one recovers and fails again: told again', async () => {
    await Promise.all([of('three').gone(), of('four').gone()]);
    await until(() => isWhollyDown('three') && isWhollyDown('four'));
    await told(/three|four/);
    await of('three').back();
    await told(/^(part|up): .*three/);
    await until(() => isWell('three'));
    await of('three').gone();
    await told(/^(more|down): .*three/);
    await Promise.all([of('three').back(), of('four').back()]);
    await until(() => isWell('three') && isWell('four'));
  });

  await t.test('one area stays down, the other recovers and fails again: told again', async () => {
    const { faults } = of('parts').first;
    faults.set(brokenLove, brokenBlock);
    await until(() => standings('parts').filter(({ down }) => down.on).length === 2);
    await told(/parts/);
    faults.set(brokenBlock);
    await told(/^(part|up): parts: .*love/);
    faults.set(brokenLove, brokenBlock);
    await told(/^(more|down): parts: /);
    assert.ok(lines(0).some((line) => /^(more|down): parts: .*(love|more|now)/.test(line)));
    faults.set();
  });

  await t.test('down, up and down again in maintenance: what is true at its end, once', async () => {
    const { recorder } = running.monitor;
    const { faults } = of('window').first;
    const window = { kind: 'maintenance', environments: ['window'], person: 'Ada' } as const;
    recorder.announce((calendar) => calendar.announce({ ...window, why: 'release', forMs: 600_000 }, Date.now()));
    for (const fault of [[brokenLove], [], [brokenLove]]) {
      faults.set(...fault);
      await until(() => isDown('window') === fault.length > 0);
    }
    assert.ok(lines(0).every((line) => !line.includes('window')));
    recorder.announce((calendar) => calendar.end({ ...window }, Date.now()));
    await told(/^down: window: /);
    await until(() => isDown('window'));
    assert.equal(lines(0).filter((line) => line.includes('window')).length, 1);
    faults.set();
    await until(() => isWell('window'));
  });

  await t.test('an unblock that is swallowed: the documented sentence that broke comes first', async () => {
    of('swallow').first.faults.set(swallowedUnblock);
    await told(/^down: swallow: /);
    const notice = all().findLast(({ environment }) => environment === 'swallow');
    assert.deepEqual(
      [notice?.headline, notice?.scenarios[0]?.grade, notice?.scenarios[0]?.title],
      [
        'swallow: Friends: listBlocked breaks “the list no longer mentions a friend just unblocked” (1 scenario)',
        'documented',
        'block, then list, then unblock',
      ],
    );
  });

  await t.test('what is down and no longer chosen leaves its incident; its next outage is told', async () => {
    const { faults } = of('renamed').first;
    faults.set(brokenLove);
    await told(/^down: renamed: /);
    await running.stop();
    running = await begin(monitoredTitles.filter((title) => !title.startsWith('love')));
    await told(/^over: renamed: "love, then unlove" is no longer monitored/);
    await running.stop();
    running = await begin();
    await told(/^down: renamed: Stories: love answers 500 \(1 scenario\)$/);
  });
});
