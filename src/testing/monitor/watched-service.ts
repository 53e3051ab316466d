import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Service, startService } from '../../../reference-service/index.ts';
import type { Environment } from '../../environment/index.ts';
import { channelTypes } from '../../monitor/alerting/channels/registry.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';
import type { Settings } from '../../monitor/settings/load.ts';
import { startMonitor } from '../../monitor/status-page/server.ts';
import { type Scenario, type ScenarioResult, scenarios } from '../../run/index.ts';
import type { Verdict } from '../../verdict/index.ts';
import { fastFolder, temporaryFolder } from '../own-folder.ts';
import { answers } from '../safety-bench.ts';
import { fetchOnce } from '../servers/listening.ts';
import { embeddedEnvironment } from '../test-environment.ts';
import { fakeEnvironment, fakeResult, quickSettings } from './fakes.ts';
import { recordRun } from './open-recorder.ts';
import { receiver } from './receiver.ts';

export const monitoredTitles = ['block, then list, then unblock', 'evaluate a flag that exists', 'love, then unlove'];
export const TOKEN = 'tok_ada_91d0b6c3e8a54f27';

export const titled = async (titles: readonly string[]) =>
  (await scenarios()).filter(({ title }) => titles.includes(title));

/** Starts a monitor with its own webhook and history; `end` stops the monitor and removes both. */
export async function runMonitor(
  environments: readonly Environment[],
  chosen: readonly Scenario[],
  more: Partial<Settings> = {},
) {
  const { path, end: remove } = temporaryFolder(fastFolder());
  const people = await receiver();
  const channels = new Map([['webhook', channelTypes.webhook.open({ WEBHOOK_URL: people.url })]]);
  const settings = quickSettings(join(path, 'data'), { channels, ...more });
  const saidLines: string[] = [];
  const say = (line: string) => saidLines.push(line);
  const running = await startMonitor({ environments, scenarios: chosen, settings, say });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= running.stop());
  const end = async () => {
    await stop();
    await people.end();
    remove();
  };
  const notices = () => people.received.map(({ body }) => JSON.parse(body) as Notice);
  const text = async (at: string) => (await fetchOnce(new URL(at, running.url))).text();
  const status = async () => JSON.parse(await text('/status.json')) as Summary;
  return { running, path, people, notices, text, status, said: saidLines, settings, stop, end };
}

/** Starts a monitor without scenarios. `run` records a run of `block` or `love` in `staging`; `seen` replaces fields of its result. */
export async function startRecorded(t: Pick<TestContext, 'after'>, more: Partial<Settings> = {}) {
  const environment = fakeEnvironment('staging');
  const { running, end } = await runMonitor([environment], [], more);
  t.after(end);
  const { recorder } = running.monitor;
  const scenarios = { block: 'friends', love: 'stories' } as const;
  for (const [title, area] of Object.entries(scenarios))
    recorder.enterAll([{ environment: 'staging', title, area, effect: 'read' }], Date.now() - 60_000);
  const run = (verdict: Verdict, title: keyof typeof scenarios = 'block', seen: Partial<ScenarioResult> = {}) => {
    const at = Date.now();
    const first = fakeResult(verdict, at, { title, area: scenarios[title], ...seen });
    recordRun(recorder, environment, { first }, at);
  };
  return { running, recorder, run };
}

/** Starts a reference service and a monitor of three of its scenarios; everything ends with the test. */
export async function start(
  t: TestContext,
  more: Partial<Settings> = {},
  port = 0,
  also: readonly Scenario[] = [],
  changes: Partial<Environment> = {},
) {
  const service = await startService({ port });
  const environment = embeddedEnvironment(service, { name: 'made', consistencyTimeoutMs: 50, ...changes });
  const chosen = [...also, ...(await titled(monitoredTitles))];
  const monitor = await runMonitor([environment], chosen, { everyMs: 300, ...more });
  let leaving: Promise<void> | undefined;
  const stopService = () => (leaving ??= service.stop());
  t.after(async () => {
    await monitor.stop();
    await stopService();
    await monitor.end();
  });
  return { ...monitor, service, stopMonitor: monitor.stop, stopService };
}

/** The faults of the services of `startBroken`. */
const breaks = { production: answers('love', 500), staging: answers('listBlocked', 200, []) };

/** Starts a monitor of two services that work at first, breaks both, and waits until `down` scenarios are down; `end` stops everything. */
export async function startBroken(chosen: readonly Scenario[], down: number) {
  const services = await Promise.all(Object.keys(breaks).map(() => startService({ port: 0 })));
  const environments = Object.keys(breaks).map((name, at) =>
    embeddedEnvironment(services[at] as Service, { name, consistencyTimeoutMs: 50 }),
  );
  const monitor = await runMonitor(environments, chosen, { everyMs: 1_000 });
  const says = (start: string) => until(async () => (await monitor.status()).status.description.startsWith(start));
  await says('All ');
  for (const [at, fault] of Object.values(breaks).entries()) services[at]?.faults.set(fault);
  await says(`${down} of `);
  const end = async () => {
    await monitor.end();
    await Promise.all(services.map((service) => service.stop()));
  };
  return { ...monitor, end };
}

interface Summary {
  readonly status: { readonly indicator: string; readonly description: string };
  readonly components: readonly { readonly name: string; readonly status: string }[];
}

/** Waits for a condition; the test runner ends a test that waits too long. */
export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 25));
}
