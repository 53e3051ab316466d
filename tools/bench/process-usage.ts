import { existsSync, readFileSync } from 'node:fs';
import { Unmeasurable } from './row.ts';

/** Clock ticks of /proc in a second; Linux has had no other number for decades. */
const TICKS = 100;

/** The resource usage of a process so far: CPU in ms (user and system), and memory in MB. */
export interface Usage {
  readonly cpuMs: number;
  /** Resident now, and at its most. */
  readonly residentMb: number;
  readonly peakMb: number;
}

/** @throws Unmeasurable where there is no /proc. */
export function usageOf(pid: number): Usage {
  if (!existsSync(`/proc/${pid}/stat`)) throw new Unmeasurable('this machine has no /proc');
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
