import { loadEnvironment } from '../../../src/config/index.ts';
import { webhook } from '../../../src/monitor/alerting/channels/webhook.ts';
import { startMonitor } from '../../../src/monitor/start.ts';
import { scenarios } from '../../../src/runner/index.ts';
import { quickSettings } from '../../../src/testing/monitor/fakes.ts';
import { embeddedEnvironment } from '../../../src/testing/test-environment.ts';

// A monitor that prints each committed run; `kills.ts` kills it.
const { addresses, provisionUrl, people, data } = JSON.parse(process.argv[2] ?? '{}');
loadEnvironment('local');
const { provisionUrl: _, ...environment } = embeddedEnvironment({ addresses, provisionUrl });
const titles = ['evaluate a flag that exists', 'evaluate a flag with default'];
const running = await startMonitor({
  environments: [environment],
  scenarios: (await scenarios()).filter(({ title }) => titles.includes(title)),
  settings: quickSettings(data, {
    everyMs: 60,
    confirmAfterMs: 20,
    keepRunsMs: 30 * 86_400_000,
    channels: new Map([['webhook', webhook.open({ WEBHOOK_URL: people })]]),
  }),
  say: () => {},
});
const { onRun } = running.monitor;
running.monitor.onRun = (run) => {
  onRun(run);
  const { recorder } = running.monitor;
  const last = recorder.db.get('SELECT max(id) AS id FROM run')?.id;
  const flip = recorder.db.get('SELECT max(id) AS id FROM flip')?.id;
  const telling = recorder.db.get('SELECT max(id) AS id FROM telling')?.id;
  process.stdout.write(`${last} ${flip ?? 0} ${telling ?? 0}\n`);
};
