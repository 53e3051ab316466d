import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { heapFlags } from '../../../src/cli/small-heap.ts';
import { temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { numberArgument, percentileOf, print } from './figures.ts';
import type { Watched } from './readers-child.ts';
import { load, Reading } from './reading.ts';

// Whether readers disturb the monitor: 22 scenarios in each environment run every minute, first unread, then with readers who follow
// events and load pages. `--environments 200 --readers 10 --minutes 10 --days 365 --hour-days 2 --heap 160`.
const environments = numberArgument('environments', 200);
const readers = numberArgument('readers', 10);
const minutes = numberArgument('minutes', 10);
const heap = numberArgument('heap', 160);
const days = numberArgument('days', 365);
const hourDays = numberArgument('hour-days', 2);

const paths = [
  '/',
  '/?state=bad',
  '/?environment=made-up-1',
  '/?text=block&page=2',
  '/scenario/made-up-1/love-twice',
  '/scenario/made-up-1/love-twice?range=7d',
  '/scenario/made-up-1/love-twice?range=year',
  '/incidents',
  '/status.json',
];
const folder = temporaryFolder();
const asked = JSON.stringify({ data: join(folder.path, 'data'), environments, days, hourDays });
const monitor = fork(join(import.meta.dirname, 'readers-child.ts'), [asked], {
  execArgv: heapFlags(heap),
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
monitor.once('exit', (code) => {
  if (code) throw new Error(`the monitor ended with ${code}`);
});
const [{ url, startMs, fileBytes, madeMs }] = (await once(monitor, 'message')) as [
  { url: string; startMs: number; fileBytes: number; madeMs: number },
];
print(
  `${environments * 22} scenarios; a history of ${days} days (hours of ${hourDays} of them): ${(fileBytes / 1e6).toFixed(0)} MB, made in ${(madeMs / 1000).toFixed(0)} s; start ${startMs.toFixed(0)} ms`,
);

await phase('unread', Math.max(0.5, minutes / 5));
const reading = new Reading(url, readers, paths);
await phase(`${readers} readers`, minutes);
await reading.end();
for (const line of reading.lines) print(`  ${line}`);
monitor.disconnect();
await once(monitor, 'exit');
folder.end();

async function phase(name: string, length: number): Promise<void> {
  const end = Date.now() + length * 60_000;
  await ask(monitor);
  const all: Watched[] = [];
  const health: number[] = [];
  while (Date.now() < end) {
    const next = Date.now() + 5_000;
    while (Date.now() < next) {
      health.push((await load(new URL('/healthz', url))).ms);
      await wait(100);
    }
    all.push(await ask(monitor));
  }
  const late = all.flatMap(({ lateness }) => lateness);
  const third = Math.ceil(all.length / 3);
  const mean = (of: readonly Watched[]) => of.reduce((sum, { rss }) => sum + rss, 0) / of.length / 1e6;
  const busy = all.flatMap((one) => one.busy);
  const ms = (value: number) => value.toFixed(1);
  print(
    `${name}, ${length} min: CPU ${((all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / length / 60_000) * 100).toFixed(0)} % of a core, at a time p99 ${ms(percentileOf(busy, 99))}, most ${ms(Math.max(...busy))} ms; ` +
      `starts late by p50 ${ms(percentileOf(late, 50))}, p99 ${ms(percentileOf(late, 99))} ms; ` +
      `loop stands still p99 ${ms(Math.max(...all.map(({ loopP99 }) => loopP99)))}, most ${ms(Math.max(...all.map(({ loopMost }) => loopMost)))} ms; ` +
      `/healthz p50 ${ms(percentileOf(health, 50))}, p99 ${ms(percentileOf(health, 99))} ms; ` +
      `resident ${mean(all.slice(0, third)).toFixed(0)} → ${mean(all.slice(-third)).toFixed(0)} MB (means of the first and last third), heap at most ${(Math.max(...all.map(({ heap: inUse }) => inUse)) / 1e6).toFixed(0)} MB`,
  );
}

async function ask(child: ChildProcess): Promise<Watched> {
  const answered = once(child, 'message');
  child.send('watched');
  const [watched] = (await answered) as [Watched];
  return watched;
}
