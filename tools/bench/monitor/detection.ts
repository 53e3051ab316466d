import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, startService } from '../../../reference-service/index.ts';
import { loadEnvironment } from '../../../src/config/index.ts';
import { webhook } from '../../../src/monitor/alerting/channels/webhook.ts';
import { startMonitor } from '../../../src/monitor/start.ts';
import { scenarios } from '../../../src/runner/index.ts';
import { quickSettings, temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { receiver } from '../../../src/testing/monitor/receiver.ts';
import { embeddedEnvironment } from '../../../src/testing/test-environment.ts';
import { numberArgument, percentileOf, print } from './figures.ts';

// Time from switching on a fault to receiving its first notice. `--trials 200`, divided over `--monitors 20`.
const monitors = numberArgument('monitors', 20);
const rounds = Math.ceil(numberArgument('trials', 200) / monitors);
const everyMs = 5_000;
const confirmAfterMs = 10_000;
const aim = everyMs + confirmAfterMs + 1_000;

loadEnvironment('local');
const service = await startService({ port: 0 });
const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
const chosen = (await scenarios()).filter(({ title }) => title === 'evaluate a flag that exists');
const fault: Fault = { name: 'off', operation: 'evaluate', handle: () => () => ({ status: 500, body: {} }) };

const watching = await Promise.all(
  Array.from({ length: monitors }, async (_, index) => {
    await wait((everyMs / monitors) * index);
    const folder = temporaryFolder();
    const people = await receiver();
    const settings = quickSettings(join(folder.path, 'data'), {
      everyMs,
      confirmAfterMs,
      channels: new Map([['webhook', webhook.open({ WEBHOOK_URL: people.url })]]),
    });
    const running = await startMonitor({ environments: [environment], scenarios: chosen, settings, say: () => {} });
    return { folder, people, running };
  }),
);

const delays: number[] = [];
await wait(everyMs + 1_000);
for (let round = 0; round < rounds; round++) {
  await wait(Math.random() * everyMs);
  const at = performance.now();
  service.faults.set(fault);
  await Promise.all(watching.map(({ people }) => people.until(2 * round + 1)));
  for (const { people } of watching) delays.push((people.received[2 * round]?.at ?? Number.NaN) - at);
  service.faults.set();
  await Promise.all(watching.map(({ people }) => people.until(2 * round + 2)));
  print(
    `${delays.length} trials: median ${Math.round(percentileOf(delays, 50))} ms, p99 ${Math.round(percentileOf(delays, 99))} ms, worst ${Math.round(Math.max(...delays))} ms (aim: p99 ≤ ${aim} ms)`,
  );
}
for (const { folder, people, running } of watching) {
  await running.stop();
  people.end();
  folder.end();
}
await service.stop();
