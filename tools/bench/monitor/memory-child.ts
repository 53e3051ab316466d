import { loadEnvironment } from '../../../src/config/index.ts';
import { startMonitor } from '../../../src/monitor/start.ts';
import { scenarios } from '../../../src/runner/index.ts';
import { quickSettings } from '../../../src/testing/monitor/fakes.ts';
import { embeddedEnvironment } from '../../../src/testing/test-environment.ts';

/** The message to `memory.ts`: bytes, and runs so far. `live` is in use after garbage collection. */
export interface Sample {
  readonly rss: number;
  /** V8's heap size; the rest of `rss` is code, buffers and native libraries. */
  readonly heap: number;
  readonly runs: number;
  readonly live?: number;
}

// A monitor that runs each scenario every second; `memory.ts` watches it.
const { addresses, provisionUrl, data } = JSON.parse(process.argv[2] ?? '{}');
loadEnvironment('local');
let runs = 0;
const running = await startMonitor({
  environments: [embeddedEnvironment({ addresses, provisionUrl })],
  scenarios: await scenarios(),
  settings: quickSettings(data, { everyMs: 1_000 }),
  say: () => {},
});
const { onRun } = running.monitor;
running.monitor.onRun = (run) => {
  onRun(run);
  runs++;
};
process.send?.({ url: running.url });
process.on('message', (message) => {
  if (message === 'live') globalThis.gc?.();
  const { rss, heapTotal: heap, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heap, runs, ...(message === 'live' ? { live: heapUsed + external } : {}) } satisfies Sample);
});
process.once('disconnect', () => process.exit());
