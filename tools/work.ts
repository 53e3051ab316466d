import { join } from 'node:path';
import { projectRoot } from '../src/environment/project-root.ts';
import { startProgram } from '../src/testing/programs/run-command.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The outcome of a check, or of a program that reports counts. */
export interface Ran {
  readonly counts: Counts;
  readonly output: string;
}

export interface Work {
  readonly name: string;
  readonly run: () => Promise<Ran>;
}

/** Runs a piece of work and prints a line about it, with its output if it failed. */
export async function play({ name, run }: Work): Promise<Counts> {
  const start = performance.now();
  const { counts, output } = await run();
  process.stdout.write(lineOf(name, counts, performance.now() - start));
  if (counts.failed > 0) process.stdout.write(`${output}\n`);
  return counts;
}

export function lineOf(name: string, counts: Counts, durationMs: number): string {
  const many = counts.passed + counts.failed + counts.skipped > 1 ? `: ${counted(counts)}` : '';
  return `${counts.failed > 0 ? 'FAILED' : 'ok    '} ${name}${many} (${(durationMs / 1000).toFixed(1)} s)\n`;
}

/** The outcome of a single check. */
export function checked(isFine: boolean, output: string): Ran {
  return { counts: { passed: Number(isFine), failed: Number(!isFine), skipped: 0 }, output };
}

/** Runs a checker in node_modules/.bin. If it fails, its output ends with `cure`, which helps with most failures. */
export async function runChecker(command: string, args: readonly string[], cure?: string): Promise<Ran> {
  const path = join(projectRoot, 'node_modules', '.bin', command);
  // In a checker that is written in Go, the garbage collector would take a quarter of a short run, only to save memory.
  const { said, ended } = startProgram(path, args, { cwd: projectRoot, env: { ...process.env, GOGC: '400' } });
  const code = await ended;
  return checked(code === 0, `${said()}${cure ? `${cure}\n` : ''}`);
}

export function add(...all: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** For example `12 passed, 0 failed`, or `12 passed, 0 failed, 3 skipped`. */
export function counted({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
