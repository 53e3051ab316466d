import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBenchEnvironment, watch } from '../processes.ts';
import { numberArgument, percentileOf, print } from './figures.ts';
import { load, Reading } from './reading.ts';

// The monitor itself, as a user starts it, on so many environments of one service in another process: 22 scenarios each, every minute,
// with readers of its pages. `--environments 200 --readers 10 --minutes 10`.
const environments = numberArgument('environments', 50);
const readers = numberArgument('readers', 10);
const minutes = numberArgument('minutes', 3);

const bench = await startBenchEnvironment();
const names = Array.from({ length: environments }, (_, index) => `size-${index + 1}`);
for (const name of names) copyFileSync(join(bench.folder, 'bench.env'), join(bench.folder, `${name}.env`));
const health: number[] = [];

const { before, after, wallMs, lateness } = await watch(bench, names, {
  every: '60s',
  warmUpMs: 75_000,
  minutes,
  during: (url) => {
    const reading = new Reading(url, readers, [
      '/',
      '/?state=bad',
      '/?environment=size-1',
      '/incidents',
      '/status.json',
    ]);
    let isOver = false;
    // Ten times a second it is asked how it is.
    const asking = (async () => {
      for (; !isOver; await wait(100)) health.push((await load(new URL('/healthz', url))).ms);
    })();
    return async () => {
      await reading.end();
      isOver = true;
      await asking;
      for (const line of reading.lines) print(`  ${line}`);
    };
  },
});
const ms = (values: readonly number[], percent: number) => `${percentileOf(values, percent).toFixed(1)} ms`;
print(
  `${environments} environments, ${environments * 22} scenarios, ${readers} readers, ${minutes} min: ${lateness.length} runs, ` +
    `${((100 * (after.cpuMs - before.cpuMs)) / wallMs).toFixed(1)} % of a core; starts late by p50 ${ms(lateness, 50)}, p99 ${ms(lateness, 99)}; ` +
    `/healthz p50 ${ms(health, 50)}, p99 ${ms(health, 99)}; resident ${before.residentMb.toFixed(0)} → ${after.residentMb.toFixed(0)} MB, at most ${after.peakMb.toFixed(0)}`,
);
bench.stop();
