import { join } from 'node:path';
import { projectRoot } from '../../src/environment/project-root.ts';
import { startProgram } from '../../src/testing/programs/run-command.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The outcome of a check, a test file, or a program that counts. */
export interface Ran {
  readonly counts: Counts;
  /** Titles with their reasons. */
  readonly skipped?: readonly string[];
  readonly output: string;
}

export interface Work {
  readonly name: string;
  readonly run: () => Promise<Ran>;
}

/** Does a piece of work; prints a line, and its output if it is red or if that is asked for. */
export async function play({ name, run }: Work, isShown = false): Promise<Counts> {
  const start = performance.now();
  const { counts, skipped = [], output } = await run();
  const seconds = (performance.now() - start) / 1000;
  const isRed = counts.failed > 0;
  const many = counts.passed + counts.failed + counts.skipped > 1 ? `: ${counted(counts)}` : '';
  process.stdout.write(`${isRed ? 'FAILED' : 'ok    '} ${name}${many} (${seconds.toFixed(1)} s)\n`);
  for (const each of skipped) process.stdout.write(`         skipped ${each}\n`);
  if (isRed || isShown) process.stdout.write(`${output}\n`);
  return counts;
}

/** One thing that holds or doesn't. */
export function checked(isFine: boolean, output: string): Ran {
  return { counts: { passed: Number(isFine), failed: Number(!isFine), skipped: 0 }, output };
}

/** Runs a binary in node_modules/.bin that checks; `cure` is that of most failures. */
export async function runChecker(command: string, args: readonly string[], cure?: string): Promise<Ran> {
  const path = join(projectRoot, 'node_modules', '.bin', command);
  // Go's collector takes a quarter of a short run to save memory.
  const { said, ended } = startProgram(path, args, { cwd: projectRoot, env: { ...process.env, GOGC: '400' } });
  const code = await ended;
  return checked(code === 0, `${said()}${cure ? `${cure}\n` : ''}`);
}

export function add(...all: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** `12 passed, 0 failed`, and how many were skipped if any were. */
export function counted({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
