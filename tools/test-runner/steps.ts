import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { startProgram } from '../../src/testing/programs/run-command.ts';

export interface Step {
  readonly name: string;
  /** A binary in node_modules/.bin, or `node` for the current runtime. */
  readonly command: string;
  readonly args: readonly string[];
  /** The cure for most failures. */
  readonly cure?: string;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs steps side by side; each prints one line, and its output if it failed. */
export async function runSteps(steps: readonly Step[]): Promise<Counts> {
  const outcomes = await Promise.all(steps.map(runStep));
  const passed = outcomes.filter(Boolean).length;
  return { passed, failed: outcomes.length - passed, skipped: 0 };
}

async function runStep({ name, command, args, cure }: Step): Promise<boolean> {
  const start = performance.now();
  const path = command === 'node' ? process.execPath : join(projectRoot, 'node_modules', '.bin', command);
  // Go's collector takes a quarter of a short run to save memory.
  const { said, ended } = startProgram(path, args, { cwd: projectRoot, env: { ...process.env, GOGC: '400' } });
  const code = await ended;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(`${said()}${cure ? `${cure}\n` : ''}\n`);
  return code === 0;
}

export function add(...all: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** `12 passed, 0 failed`, and how many were skipped if any were. */
export function counted({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
