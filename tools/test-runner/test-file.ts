import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { projectRoot } from '../../src/environment/project-root.ts';
import { plainEnvironment, TEST_LIMIT_MS } from '../../src/testing/programs/child.ts';
import type { Ran } from './work.ts';

/** Several times what a slow machine needs that is busy otherwise too. */
export interface Limits {
  /** For a test that has no limit of its own. */
  readonly testMs: number;
  readonly fileMs: number;
  /** From the end of its last test until its process ends. */
  readonly endMs: number;
}

const LIMITS: Limits = { testMs: TEST_LIMIT_MS, fileMs: 3 * TEST_LIMIT_MS, endMs: 60_000 };

/** Ends the process of a file when this process ends, whatever ends it. */
const END_WITH_THIS = join(projectRoot, 'src', 'cli', 'launcher', 'end-with-starter.js');

/**
 * Runs a test file in a process of its own. If the process doesn't end, it is ended with the programs that it started, the file fails, and
 * the tests that were running are named. `folder` takes what it writes.
 */
export async function runTestFile(
  file: string,
  folder: string,
  { testMs, fileMs, endMs }: Limits = LIMITS,
): Promise<Ran> {
  const path = resolve(projectRoot, file);
  const controller = new AbortController();
  // Each file has its own memory of `local`.
  const env = { ...plainEnvironment(), SEXTANT_OUTPUT: join(folder, file.replaceAll(/[/\\]/g, '-')) };
  const execArgv = [`--test-timeout=${testMs}`, '--import', END_WITH_THIS];
  // Not in a literal: the types of the floor don't list `env` yet.
  const options = { files: [path], cwd: projectRoot, env, execArgv, signal: controller.signal };
  const stream = run(options);

  const running: { readonly name: string; readonly nesting: number }[] = [];
  const skipped: string[] = [];
  const problems: string[] = [];
  let counts = { passed: 0, failed: 1, skipped: 0 };
  const end = (ms: number) => {
    problems.push(`ended after ${Math.round(ms / 1000)} s, ${whereIn(running)}`);
    controller.abort();
  };
  const limit = setTimeout(end, fileMs, fileMs);
  let quiet: NodeJS.Timeout | undefined;
  stream.on('test:dequeue', ({ name, nesting }) => {
    if (name === path) return;
    clearTimeout(quiet);
    running.push({ name, nesting });
  });
  stream.on('test:complete', ({ name, nesting }) => {
    const ended = running.findLastIndex((each) => each.name === name && each.nesting === nesting);
    if (ended >= 0) running.splice(ended, 1);
    clearTimeout(quiet);
    if (running.length === 0) quiet = setTimeout(end, endMs, endMs);
  });
  stream.on('test:pass', ({ name, skip }) => {
    // Node counts a file without tests as a test that passes.
    if (name === path) problems.push('it ran no test');
    if (skip !== undefined) skipped.push(`${name}: ${skip}`);
  });
  stream.on('test:summary', ({ counts: { tests, passed, skipped: left, todo }, success }) => {
    const failed = tests - passed - left - todo;
    counts = { passed, failed: success ? failed : Math.max(failed, 1), skipped: left + todo };
  });
  const output: string[] = await Array.fromAsync(stream.compose(new spec()));
  clearTimeout(limit);
  clearTimeout(quiet);

  if (problems.length > 0) counts = { ...counts, failed: Math.max(counts.failed, 1) };
  return { counts, skipped, output: [...output, ...problems.map((problem) => `${file}: ${problem}\n`)].join('') };
}

function whereIn(running: readonly { readonly name: string }[]): string {
  if (running.length > 0) return `in "${running.map(({ name }) => name).join(' > ')}"`;
  return 'outside its tests: in a hook, while it was loaded, or because of something that is still open';
}
