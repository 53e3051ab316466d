import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/config/project-root.ts';

interface Ended {
  readonly wallMs: number;
  readonly stdout: string;
}

/** What `npx sextant` starts. */
export const COMMAND = join(projectRoot, 'src', 'cli', 'launcher', 'sextant.js');

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
export function usageOf(pid: number) {
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
