import { type ChildProcess, type SpawnOptions, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import type { Writable } from 'node:stream';
import { after } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../../environment/project-root.ts';

/** The process groups of programs that are still running. */
const groups = new Set<number>();

// Kills the groups after the tests of a file, because a running program would keep the process of the test file from ending.
if (process.env.NODE_TEST_CONTEXT) after(() => groups.forEach((pid) => void signalGroup(pid, 'SIGKILL')));

/**
 * Starts a program in its own process group. The whole group is killed after the tests of a file, and when this process ends for whatever
 * reason: a failure, a time limit, SIGKILL.
 */
export const startChild = ((command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess => {
  const child = spawn(command, args, { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) return child;
  groups.add(pid);
  tellGuardian(`+ ${pid}`);
  child.once('exit', () => {
    // If children of the program still run, the group stays in the list. No other group can get its number in that time.
    if (signalGroup(pid, 0)) return;
    groups.delete(pid);
    tellGuardian(`- ${pid}`);
  });
  return child;
}) as typeof spawn;

/** The time limit of a test that sets none. It is long, because it must end tests that hang, not tests on a slow machine. */
export const TEST_LIMIT_MS = 5 * 60_000;

/** Runs a program to its end; by default in the project's folder, with `plainEnvironment()`. `output` joins both output streams. */
export function runToEnd(program: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  // No timer of the test could end the program, because `spawnSync` blocks the process.
  const limit = { timeout: TEST_LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const usual = { cwd: projectRoot, env: plainEnvironment(), maxBuffer: 1e8, ...limit };
  const { status, stdout, stderr, pid } = spawnSync(program, args, { ...usual, ...options, encoding: 'utf8' });
  return { status, stdout, stderr, pid, output: stdout + stderr };
}

/** Sends a signal to a process group; returns false if the group doesn't exist. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** A shell script that kills the groups on its list when its input ends, which happens when this process ends. */
const GUARDIAN = `
groups=
while read -r sign group; do
  kept=
  for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
  groups="$kept"
  [ "$sign" = - ] || groups="$groups $group"
done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done`;

let guardian: Writable | undefined;

function tellGuardian(line: string): void {
  if (!guardian) {
    const shell = spawn('sh', ['-c', GUARDIAN], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    shell.unref();
    guardian = shell.stdin;
    (shell.stdin as typeof shell.stdin & { unref?: () => void }).unref?.();
    // The shell kills the programs if this process ends before the `after` hook at the top of this file runs. If no shell can be started,
    // only the hook kills them, so the error is ignored.
    for (const each of [shell, shell.stdin]) each.on('error', () => {});
  }
  guardian.write(`${line}\n`);
}

/** The processes that were started with a variable, `NAME=value`, and their children. Works only on Linux. */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(variable))
    .map(Number);
}

/** The processes with a variable that still run after `seconds` on an idle machine. A busy machine gets proportionally more time. */
export async function leftAfter(seconds: number, variable: string): Promise<number[]> {
  const [load = 0] = loadavg();
  const end = performance.now() + seconds * 1_000 * Math.max(1, load / availableParallelism());
  while (processesWith(variable).length > 0 && performance.now() < end) await wait(200);
  return processesWith(variable);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // The process has ended.
    return [];
  }
}

/**
 * The environment variables for a program that a test starts. The variable of the outer test runner is left out, because it would keep a
 * nested runner from running. The variables that switch on colours are left out, because colour codes would split the text that a test looks for.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, CI: _pipeline, FORCE_COLOR: _colour, ...inherited } = process.env;
  return { ...inherited, NO_COLOR: '1' };
}
