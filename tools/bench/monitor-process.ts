import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCommand, until } from '../../src/testing/programs/run-command.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { COMMAND, sextant, usageOf } from './processes.ts';

interface WatchOptions {
  readonly every: string;
  readonly warmUpMs: number;
  readonly minutes: number;
  /** Called with the address of the page when the warm-up is over; what it returns is called in the end. */
  readonly during?: (url: string) => () => Promise<void>;
}

/** Runs a monitor for `minutes`, the first of which don't count: modules are compiled, and every scenario has run once. */
export async function watch(
  { env, folder }: BenchEnvironment,
  environments: readonly string[],
  { every, warmUpMs, minutes, during }: WatchOptions,
) {
  const data = join(folder, `data-${environments.length}`);
  const settings = join(folder, 'none.env');
  writeFileSync(settings, '');
  const named = environments.flatMap((name) => ['--env', name]);
  const flags = ['--every', every, '--data', data, '--settings', settings, '--port', '0', '--yes'];
  const command = startCommand(['monitor', ...named, ...flags], env, COMMAND);
  const { child, said, ended } = command;
  try {
    await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said()), command);
    await new Promise((resolve) => setTimeout(resolve, warmUpMs));
    const from = Date.now();
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said()) ?? [];
    const end = during?.(url);
    const before = usageOf(child.pid as number);
    await new Promise((resolve) => setTimeout(resolve, minutes * 60_000));
    const after = usageOf(child.pid as number);
    const wallMs = Date.now() - from;
    await end?.();
    child.kill('SIGINT');
    if ((await ended) !== 0) throw new Error(said());
    const { stdout } = await sextant(['history', 'export', '--data', data, '--what', 'runs'], env);
    const runs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly planned: number; readonly started: number });
    /** Start minus plan of each run, in ms, in ascending order. */
    const lateness = runs.filter(({ planned }) => planned >= from).map(({ planned, started }) => started - planned);
    return { before, after, wallMs, lateness: lateness.sort((a, b) => a - b) };
  } finally {
    child.kill('SIGKILL');
  }
}
