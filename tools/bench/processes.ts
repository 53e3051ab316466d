import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { seeded } from '../../reference-service/index.ts';
import type { Listening } from '../../src/config/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { temporaryFolder } from '../../src/testing/monitor/fakes.ts';
import { startCommand, until } from '../../src/testing/programs/run-command.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';

export type BenchEnvironment = Awaited<ReturnType<typeof startBenchEnvironment>>;

/** A folder with the environment `bench` for a reference service in a separate process. */
export async function startBenchEnvironment() {
  const child = fork(join(import.meta.dirname, 'serve.ts'));
  const [serving] = (await once(child, 'message')) as [Listening];
  const { path: folder, end } = temporaryFolder();
  // No provisioner: its requests don't count, and every caller stays the seeded one.
  const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, SLOW_AFTER_MS: 60_000 };
  writeFileSync(join(folder, 'bench.env'), environmentText(serving.addresses, keys));
  return {
    folder,
    serving,
    env: { SEXTANT_ENVIRONMENTS: folder, SEXTANT_OUTPUT: join(folder, 'output') },
    stop: () => {
      child.disconnect();
      end();
    },
  };
}

interface Ended {
  readonly wallMs: number;
  readonly stdout: string;
}

/** What `npx sextant` starts. */
const COMMAND = join(projectRoot, 'src', 'cli', 'launcher', 'sextant.js');

/** Runs a script or the command line with this Node, to its end. @throws when it ends badly, with what it said. */
export async function runNode(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const start = performance.now();
  const options = { env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 1e9 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return { wallMs: performance.now() - start, stdout };
}

export const sextant = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runNode([COMMAND, ...args], env);

/** The least of several runs: what the work costs when the machine does little else. */
export async function leastWallMs(times: number, work: () => Promise<Ended>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < times; index++) least = Math.min(least, (await work()).wallMs);
  return least;
}

/** Clock ticks of /proc in a second; Linux has had no other number for decades. */
const TICKS = 100;

/** The resource usage of a process so far, on Linux: CPU in ms (user and system), and memory in MB, resident now and at its most. */
function usageOf(pid: number) {
  // The name may hold blanks and brackets; the figures stand behind it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS,
    residentMb: kilobytes('VmRSS') / 1024,
    peakMb: kilobytes('VmHWM') / 1024,
  };
}

interface WatchOptions {
  readonly every: string;
  readonly warmUpMs: number;
  readonly minutes: number;
  /** Called with the address of the page when the warm-up is over; what it returns is called in the end. */
  readonly during?: (url: string) => () => Promise<void>;
}

/** Runs a monitor for `minutes`, the first of which don't count: modules are compiled, and every scenario has run once. */
export async function watch(
  { env, folder }: BenchEnvironment,
  environments: readonly string[],
  { every, warmUpMs, minutes, during }: WatchOptions,
) {
  const data = join(folder, `data-${environments.length}`);
  const settings = join(folder, 'none.env');
  writeFileSync(settings, '');
  const named = environments.flatMap((name) => ['--env', name]);
  const flags = ['--every', every, '--data', data, '--settings', settings, '--port', '0', '--yes'];
  const command = startCommand(['monitor', ...named, ...flags], env, COMMAND);
  const { child, said, ended } = command;
  try {
    await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said()), command);
    await wait(warmUpMs);
    const from = Date.now();
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said()) ?? [];
    const end = during?.(url);
    const before = usageOf(child.pid as number);
    await wait(minutes * 60_000);
    const after = usageOf(child.pid as number);
    const wallMs = Date.now() - from;
    await end?.();
    child.kill('SIGINT');
    if ((await ended) !== 0) throw new Error(said());
    const { stdout } = await sextant(['history', 'export', '--data', data, '--what', 'runs'], env);
    const runs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly planned: number; readonly started: number });
    /** Start minus plan of each run, in ms, in ascending order. */
    const lateness = runs.filter(({ planned }) => planned >= from).map(({ planned, started }) => started - planned);
    return { before, after, wallMs, lateness: lateness.sort((a, b) => a - b) };
  } finally {
    child.kill('SIGKILL');
  }
}
