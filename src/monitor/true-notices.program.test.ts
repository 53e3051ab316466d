import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, type Service, startService } from '../../reference-service/index.ts';
import { monitoredTitles, runMonitor, titled, until } from '../testing/monitor/watched-service.ts';
import { freePortsInARow } from '../testing/programs/run-command.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { startMonitor } from './start.ts';

const brokenLove: Fault = { name: 'love 500', operation: 'love', handle: () => () => ({ status: 500, body: {} }) };

/** A service that can be gone and come back at the same ports. */
async function restartable() {
  const port = await freePortsInARow();
  let service: Service | undefined = await startService({ port, quiet: true });
  const gone = async () => {
    await service?.stop();
    service = undefined;
  };
  const back = async () => {
    service = await startService({ port, quiet: true });
  };
  return { first: service, gone, back };
}

test('what is told of partial recoveries and renames is true, on the monitor as it runs', async (t) => {
  const [one, two, renamed] = [await restartable(), await restartable(), await restartable()];
  const environments = Object.entries({ one, two, renamed }).map(([name, { first }]) =>
    embeddedEnvironment(first, { name, consistencyTimeoutMs: 50 }),
  );
  const chosen = await titled(monitoredTitles);
  const rule = { downAfter: 1, upAfter: 1, remindAfterMs: 3_600_000, gatherMs: 0 };
  const { settings, notices, end, ...first } = await runMonitor(environments, chosen, { everyMs: 300, rule });
  let { running, stop } = first;
  t.after(async () => {
    await stop();
    for (const { gone } of [one, two, renamed]) await gone();
    await end();
  });
  let read = 0;
  const lines = () =>
    notices()
      .slice(read)
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
  const isWell = (environment: string) =>
    standings(environment).every(({ judged, down, skipped }) => judged && !down.on && !skipped);
  await until(() => environments.every(({ name }) => isWell(name)));

  await t.test('two environments of one host, one stays down: only the other is said to be back', async () => {
    await one.gone();
    await told(/^down: one: nothing answers/);
    await two.gone();
    await told(/^(down|more): .*two/);
    await until(() => standings('two').every(({ down }) => down.on));
    await two.back();
    await until(() => isWell('two'));
    for (const line of await told(/^(up|part): .*two/))
      assert.doesNotMatch(line, /one( and two)?(:| is| are) .*(back|again)/);
    assert.ok(standings('one').some(({ down }) => down.on));
    await one.back();
    await told(/^(up|part): .*one/);
    await until(() => isWell('one'));
  });

  await t.test('what is down and no longer chosen leaves its incident; its next outage is told', async () => {
    const begin = async (scenarios: typeof chosen) => {
      await stop();
      running = await startMonitor({ environments, scenarios, settings, say: () => {} });
      stop = running.stop;
    };
    renamed.first.faults.set(brokenLove);
    await told(/^down: renamed: /);
    await begin(chosen.filter(({ title }) => !title.startsWith('love')));
    await told(/^over: renamed: "love, then unlove" is no longer monitored/);
    await begin(chosen);
    await told(/^down: renamed: Stories: love answers 500 \(1 scenario\)$/);
  });
});
