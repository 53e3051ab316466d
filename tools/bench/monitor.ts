import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startCommand, until } from '../../src/testing/programs/run-command.ts';
import { type BenchEnvironment, COMMAND, sextant } from './processes.ts';
import { percentileOf, readPages } from './reading.ts';

interface Size {
  /** All of them are at one service; to the monitor they are apart. */
  readonly environments: number;
  readonly every: string;
  /** What doesn't count: modules are compiled, and every scenario has run once. */
  readonly warmUpMs: number;
  readonly minutes: number;
  /** Of its pages; none: nobody looks at them. */
  readonly readers: number;
}

/** Runs a monitor as a user starts it; resolves with what it took. */
export async function measureMonitor({ env, folder }: BenchEnvironment, size: Size): Promise<string> {
  const { environments, every, warmUpMs, minutes, readers } = size;
  const [data, settings] = [join(folder, 'data'), join(folder, 'none.env')];
  writeFileSync(settings, '');
  const names = Array.from({ length: environments }, (_, index) => `size-${index + 1}`);
  for (const name of names) copyFileSync(join(folder, 'bench.env'), join(folder, `${name}.env`));
  const flags = ['--every', every, '--data', data, '--settings', settings, '--port', '0', '--yes'];
  const command = startCommand(['monitor', ...names.flatMap((name) => ['--env', name]), ...flags], env, COMMAND);
  const { child, said, ended } = command;
  try {
    const url = () => /http:\/\/127\.0\.0\.1:\d+\//.exec(said())?.[0];
    await until(() => url() !== undefined, command);
    await wait(warmUpMs);
    const from = Date.now();
    let isOver = false;
    const reading = readers > 0 ? readPages(url() as string, readers, () => isOver) : [];
    const before = usageOf(child.pid as number);
    await wait(minutes * 60_000);
    const after = usageOf(child.pid as number);
    const wallMs = Date.now() - from;
    isOver = true;
    const pages = await reading;
    child.kill('SIGINT');
    if ((await ended) !== 0) throw new Error(said());
    const { stdout } = await sextant(['history', 'export', '--data', data, '--what', 'runs'], env);
    const runs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly planned: number; readonly started: number })
      .filter(({ planned }) => planned >= from);
    const late = (percent: number) =>
      `p${percent} ${percentileOf(
        runs.map(({ planned, started }) => started - planned),
        percent,
      ).toFixed(1)} ms`;
    return [
      `${environments} environments every ${every}, ${readers} readers, ${minutes} min: ${runs.length} runs, ` +
        `${((100 * (after.cpuMs - before.cpuMs)) / wallMs).toFixed(1)} % of a core; starts late by ${late(50)}, ${late(99)}; ` +
        `resident ${before.residentMb.toFixed(0)} → ${after.residentMb.toFixed(0)} MB, at most ${after.peakMb.toFixed(0)}`,
      ...pages,
    ].join('\n  ');
  } finally {
    child.kill('SIGKILL');
  }
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
