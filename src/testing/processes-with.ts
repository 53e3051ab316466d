import { readdirSync, readFileSync } from 'node:fs';

/** The processes that were started with a variable, `NAME=value`, and their children; only Linux tells. */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(variable))
    .map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended.
    return [];
  }
}
