import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { keepSecrets } from '../../../src/client/redaction/redact.ts';
import { Secret } from '../../../src/client/redaction/secret.ts';
import { madeUpScenarios } from '../../made-up-world/scenario-list.ts';
import { startWorld } from '../../made-up-world/start-world.ts';

/** The message to `readers.ts`; times in ms, sizes in bytes. */
export interface Watched {
  readonly rss: number;
  readonly heap: number;
  readonly runs: number;
  /** By how much runs started late, since the last message. */
  readonly lateness: readonly number[];
  /** For how long the event loop didn't turn, since the last message; other processes and the disk are in it. */
  readonly loopP99: number;
  readonly loopMost: number;
  /** CPU time that the main thread used at a time, since the last message. */
  readonly busy: readonly number[];
  /** CPU time of the process since the last message. */
  readonly cpuMs: number;
}

const MINUTE = 60_000;
const { data, environments, days, hourDays } = JSON.parse(process.argv[2] ?? '{}');
const names = Array.from({ length: environments }, (_, index) => `made-up-${index + 1}`);
// Each environment has two secrets, which every page is searched for.
keepSecrets(Array.from({ length: 2 * environments }, () => new Secret(randomBytes(24).toString('base64url'))));

const before = performance.now();
const world = await startWorld({ environments: names, days, hourDays, runHours: 1, now: Date.now(), data });
// Figures are read one scenario at a time, the last environment's last.
const last = `${world.url}?environment=${names.at(-1)}`;
const madeMs = performance.now() - before;
while (/id="s\d+".*class="p95">…</.test(await (await fetch(last)).text())) await wait(1_000);
process.send?.({
  url: world.url,
  startMs: world.startMs,
  fileBytes: world.fileBytes,
  madeMs,
});

const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
const targets = madeUpScenarios.flatMap(([title, area]) => world.environments.map((of) => ({ of, title, area })));
const pace = MINUTE / targets.length;
const started = performance.now();
let runs = 0;
let lateness: number[] = [];

/** A turn of at most a millisecond isn't kept. */
let busy: number[] = [];
let used = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(used);
  used = process.threadCpuUsage();
  if (user + system > 1_000) busy.push((user + system) / 1_000);
}, 1);

/** Starts what is due, one at a time as the scheduler does. */
function next(): void {
  const due = started + runs * pace;
  const now = performance.now();
  if (now < due) {
    setTimeout(next, due - now);
    return;
  }
  lateness.push(now - due);
  const target = targets[runs % targets.length];
  runs++;
  // One scenario flips every ten seconds.
  const isBroken = runs % Math.round(10_000 / pace) === 0;
  if (target)
    void world.run(
      target.of,
      target.title,
      target.area,
      isBroken ? { reason: 'made up: 500', status: 500 } : undefined,
    );
  setImmediate(next);
}
next();

let cpu = process.cpuUsage();
process.on('message', () => {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const watched: Watched = {
    rss,
    heap: heapUsed,
    runs,
    lateness,
    loopP99: loop.percentile(99) / 1e6 - 1,
    loopMost: loop.max / 1e6 - 1,
    busy,
    cpuMs: (user + system) / 1_000,
  };
  lateness = [];
  busy = [];
  loop.reset();
  process.send?.(watched);
});
process.once('disconnect', () => process.exit());
