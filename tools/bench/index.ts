import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/environment/project-root.ts';
import { startCommand, until } from '../../src/testing/programs/run-command.ts';
import { percentileOf, readPages } from './reading.ts';
import { startBenchService } from './service.ts';

// Starts a monitor of many environments as a user would, and measures it. A single service in another process serves all environments.
const { values } = parseArgs({
  options: {
    environments: { type: 'string', default: '50' },
    every: { type: 'string', default: '60s' },
    minutes: { type: 'string', default: '3' },
    /** The number of simulated readers of the monitor's pages. */
    readers: { type: 'string', default: '0' },
    /** Whether the service ends before the measurement, so that every environment is down. */
    down: { type: 'boolean', default: false },
    /** Seconds before the measurement begins. In this time modules are compiled, and every scenario runs once. */
    'warm-up': { type: 'string', default: '75' },
  },
});
const { every } = values;
const environments = Number(values.environments);
const minutes = Number(values.minutes);
const readers = Number(values.readers);

/** Clock ticks per second in /proc. Linux has had no other number for decades. */
const TICKS = 100;

/** The program that `npx sextant` starts. */
const COMMAND = join(projectRoot, 'src', 'cli', 'launcher', 'sextant.js');

process.stdout.write(`${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(2)}\n`);
const bench = await startBenchService();
try {
  process.stdout.write(`${await measured(bench)}\n`);
} finally {
  bench.stop();
}

async function measured({ folder, env, text }: Awaited<ReturnType<typeof startBenchService>>): Promise<string> {
  for (let index = 1; index <= environments; index++) writeFileSync(join(folder, `size-${index}.env`), text);
  const [data, settings] = [join(folder, 'data'), join(folder, 'settings')];
  writeFileSync(settings, '');
  const flags = ['--every', every, '--data', data, '--settings', settings, '--port', '0', '--yes'];
  const command = startCommand(['monitor', '--env', '*', ...flags], env, COMMAND);
  const { child, said: printed, ended } = command;
  try {
    const url = () => /http:\/\/127\.0\.0\.1:\d+\//.exec(printed())?.[0];
    await until(() => url() !== undefined, command);
    if (values.down) bench.stopService();
    await wait(Number(values['warm-up']) * 1_000);
    const from = Date.now();
    let isOver = false;
    const reading = readers > 0 ? readPages(url() as string, readers, () => isOver) : [];
    const before = usageOf(child.pid as number);
    await wait(minutes * 60_000);
    const after = usageOf(child.pid as number);
    const share = (100 * (after.cpuMs - before.cpuMs)) / (Date.now() - from);
    isOver = true;
    const pages = await reading;
    child.kill('SIGINT');
    if ((await ended) !== 0) throw new Error(printed());
    const late = await latenessSince(from, data);
    return [
      `${environments} environments every ${every}, ${readers} readers, ${minutes} min: ${late.length} runs, ` +
        `${share.toFixed(1)} % of a core; starts late by p50 ${percentileOf(late, 50)} ms, p99 ${percentileOf(late, 99)} ms; ` +
        `resident ${before.residentMb.toFixed(0)} → ${after.residentMb.toFixed(0)} MB, at most ${after.peakMb.toFixed(0)}`,
      ...pages,
    ].join('\n  ');
  } finally {
    child.kill('SIGKILL');
  }
}

/** Returns how late each run started, in ms, for the runs that were planned since `from`. */
async function latenessSince(from: number, data: string): Promise<number[]> {
  const { said, ended } = startCommand(['history', 'export', '--data', data, '--what', 'runs'], {}, COMMAND);
  if ((await ended) !== 0) throw new Error(said());
  const lines = said().trim().split('\n');
  const runs = lines.map((line) => JSON.parse(line) as { readonly planned: number; readonly started: number });
  return runs.filter(({ planned }) => planned >= from).map(({ planned, started }) => started - planned);
}

/** The resource usage of a process so far, on Linux: CPU in ms (user and system), and memory in MB, current and maximum. */
function usageOf(pid: number) {
  // The process name may contain blanks and brackets, so the numbers after it are read.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS,
    residentMb: kilobytes('VmRSS') / 1024,
    peakMb: kilobytes('VmHWM') / 1024,
  };
}
