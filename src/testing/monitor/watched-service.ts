import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startService } from '../../../reference-service/index.ts';
import { webhook } from '../../monitor/alerting/channels/webhook.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';
import type { Settings } from '../../monitor/settings/load.ts';
import { startMonitor } from '../../monitor/start.ts';
import { type Scenario, scenarios } from '../../runner/index.ts';
import { fetchOnce } from '../fetch-once.ts';
import { embeddedEnvironment } from '../test-environment.ts';
import { quickSettings, temporaryFolder } from './fakes.ts';
import { receiver } from './receiver.ts';

export const monitoredTitles = ['block, then list, then unblock', 'evaluate a flag that exists', 'love, then unlove'];
export const TOKEN = 'tok_ada_91d0b6c3e8a54f27';

/** Monitors three scenarios of a new service; everything ends with the test. */
export async function start(t: TestContext, more: Partial<Settings> = {}, port = 0, also: readonly Scenario[] = []) {
  const { path, end } = temporaryFolder();
  const service = await startService({ port });
  const people = await receiver();
  const environment = embeddedEnvironment(service, { name: 'made', consistencyTimeoutMs: 50 });
  const known = (await scenarios()).filter(({ title }) => monitoredTitles.includes(title));
  const chosen = [...also, ...known];
  const said: string[] = [];
  const settings = quickSettings(join(path, 'data'), {
    everyMs: 300,
    channels: new Map([['webhook', webhook.open({ WEBHOOK_URL: people.url })]]),
    ...more,
  });
  const make = () =>
    startMonitor({ environments: [environment], scenarios: chosen, settings, say: (line) => said.push(line) });
  const running = await make();
  const stopped = { monitor: false, service: false };
  const stopMonitor = async () => {
    if (!stopped.monitor) await running.stop();
    stopped.monitor = true;
  };
  const stopService = async () => {
    if (!stopped.service) await service.stop();
    stopped.service = true;
  };
  t.after(async () => {
    await stopMonitor();
    await stopService();
    people.end();
    end();
  });
  const notices = () => people.received.map(({ body }) => JSON.parse(body) as Notice);
  const status = async () => (await (await fetchOnce(new URL('/status.json', running.url))).json()) as Summary;
  const text = async (path: string) => (await fetchOnce(new URL(path, running.url))).text();
  return { service, running, people, notices, status, text, said, settings, stopMonitor, stopService };
}

export interface Summary {
  readonly status: { readonly indicator: string; readonly description: string };
  readonly components: readonly { readonly name: string; readonly status: string }[];
}

/** Waits for a condition; the runner ends a test that waits in vain. */
export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 25));
}
