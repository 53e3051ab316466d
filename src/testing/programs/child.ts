import { type ChildProcess, type SpawnOptions, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import type { Writable } from 'node:stream';
import { after } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../../environment/project-root.ts';

/** The process groups of programs that haven't ended. */
const groups = new Set<number>();

// In a test file, kills the groups after the tests, because a program that is left would keep the tests' process running.
if (process.env.NODE_TEST_CONTEXT) after(() => groups.forEach((pid) => void signalGroup(pid, 'SIGKILL')));

/**
 * Starts a program that ends with its starter. It has its own process group, and the whole group is killed when
 * the tests of a file are over, and when this process ends, whatever ends it: a failure, a time limit, SIGKILL.
 */
export const startChild = ((command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess => {
  const child = spawn(command, args, { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) return child;
  groups.add(pid);
  tellGuardian(`+ ${pid}`);
  child.once('exit', () => {
    // If children of the program still live, the group stays in the list, because no other process can get its number.
    if (signalGroup(pid, 0)) return;
    groups.delete(pid);
    tellGuardian(`- ${pid}`);
  });
  return child;
}) as typeof spawn;

/** The time limit of a test that sets none. It is long, because it must end tests that hang, and not slow tests. */
export const TEST_LIMIT_MS = 5 * 60_000;

/** Runs a program to its end: in the project, with plain variables, unless `options` say otherwise. `output` is both streams. */
export function runToEnd(program: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  // No timer of the test could end the program, because `spawnSync` blocks the process.
  const limit = { timeout: TEST_LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const usual = { cwd: projectRoot, env: plainEnvironment(), maxBuffer: 1e8, ...limit };
  const { status, stdout, stderr, pid } = spawnSync(program, args, { ...usual, ...options, encoding: 'utf8' });
  return { status, stdout, stderr, pid, output: stdout + stderr };
}

/** Sends a signal to a process group; false if there is none. */
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
    // If no shell can be started, programs still end with their tests.
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

/** The processes with a variable that are left after `seconds` on a free machine. A busy machine gets proportionally more time. */
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
