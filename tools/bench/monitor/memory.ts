import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { heapFlags } from '../../../src/cli/small-heap.ts';
import { temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { numberArgument, print } from './figures.ts';
import type { Sample } from './memory-child.ts';

// Whether the monitor's memory is flat: every scenario each second, first without readers, then with readers of events that come
// and go and of pages, then without again. `--minutes 12`; `--readers 50` at once.
const minutes = numberArgument('minutes', 12);
const readers = numberArgument('readers', 50);
const SAMPLE_MS = 5_000;

const folder = temporaryFolder();
const service = fork(join(import.meta.dirname, '..', 'serve.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
const [listening] = (await once(service, 'message')) as [object];
const given = JSON.stringify({ ...listening, data: join(folder.path, 'data') });
// The heap of `sextant monitor` itself (src/cli/small-heap.ts).
const monitor = fork(join(import.meta.dirname, 'memory-child.ts'), [given], {
  execArgv: [...heapFlags(160), '--expose-gc'],
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const [{ url }] = (await once(monitor, 'message')) as [{ url: string }];

await phase('warming up', 1);
await phase('without readers', Math.round((minutes - 1) * 0.4), 'without');
await phase(`with ${readers} readers at once`, Math.round((minutes - 1) * 0.4), 'with');
await phase('without readers again', Math.max(1, Math.round((minutes - 1) * 0.2)), 'without');
monitor.kill();
service.kill();
await Promise.all([once(monitor, 'exit'), once(service, 'exit')]);
folder.end();

async function phase(name: string, length: number, kind: 'with' | 'without' = 'without'): Promise<void> {
  const end = Date.now() + length * 60_000;
  const first = await ask(monitor, 'live');
  const reading = kind === 'with' ? read(end) : Promise.resolve(0);
  const samples: Sample[] = [];
  while (Date.now() < end) {
    await wait(SAMPLE_MS);
    samples.push(await ask(monitor, 'now'));
  }
  const read_ = await reading;
  const last = await ask(monitor, 'live');
  const third = Math.ceil(samples.length / 3);
  const course = (of: 'rss' | 'heap') => {
    const values = samples.map((sample) => sample[of]);
    return `${mean(values.slice(0, third))} → ${mean(values.slice(-third))} MB`;
  };
  print(
    `${name}, ${length} min, ${last.runs - first.runs} runs${read_ > 0 ? `, ${read_} readers of events` : ''}: ` +
      `resident ${course('rss')}, of it V8's heap ${course('heap')} (means of the first and last third), ` +
      `live ${mb(first.live ?? 0)} → ${mb(last.live ?? 0)} MB`,
  );
}

async function ask(child: ChildProcess, what: 'live' | 'now'): Promise<Sample> {
  const answered = once(child, 'message');
  child.send(what);
  const [sample] = (await answered) as [Sample];
  return sample;
}

/** Readers of events that stay for some seconds, and pages that are read all the time; gives how many readers there were. */
async function read(end: number): Promise<number> {
  let count = 0;
  const one = async () => {
    while (Date.now() < end) {
      count++;
      const request = get(new URL('/events', url), (response) => response.resume()).on('error', () => {});
      await wait(500 + Math.random() * 4_000);
      request.destroy();
    }
  };
  const page = async (path: string) => {
    while (Date.now() < end) {
      await (await fetch(new URL(path, url))).text();
      await wait(1_000);
    }
  };
  await Promise.all([
    ...Array.from({ length: readers }, one),
    ...['/', '/metrics', '/status.json', '/incidents'].map(page),
  ]);
  return count;
}

function mb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

function mean(values: readonly number[]): string {
  return mb(values.reduce((sum, value) => sum + value, 0) / values.length);
}
