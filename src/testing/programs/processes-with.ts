import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** The processes that were started with a variable, `NAME=value`, and their children; only Linux tells. */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(variable))
    .map(Number);
}

/** Those that are left after so many seconds, on a machine that is free; on a busy one each process has a part of the time. */
export async function leftAfter(seconds: number, variable: string): Promise<number[]> {
  const [load = 0] = loadavg();
  const end = performance.now() + seconds * 1_000 * Math.max(1, load / availableParallelism());
  while (processesWith(variable).length > 0 && performance.now() < end) await wait(50);
  return processesWith(variable);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended.
    return [];
  }
}
