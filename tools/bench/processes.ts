import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seeded } from '../../reference-service/index.ts';
import type { Listening } from '../../src/config/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { temporaryFolder } from '../../src/testing/monitor/fakes.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';

export type BenchEnvironment = Awaited<ReturnType<typeof startBenchEnvironment>>;

/** A folder with the environment `bench` for a reference service in a separate process. */
export async function startBenchEnvironment() {
  const child = fork(join(import.meta.dirname, 'serve.ts'));
  const [serving] = (await once(child, 'message')) as [Listening];
  const { path: folder, end } = temporaryFolder();
  // No provisioner: its requests don't count, and every caller stays the seeded one.
  const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, SLOW_AFTER_MS: 60_000 };
  writeFileSync(join(folder, 'bench.env'), environmentText(serving.addresses, keys));
  return {
    folder,
    env: { SEXTANT_ENVIRONMENTS: folder, SEXTANT_OUTPUT: join(folder, 'output') },
    stop: () => {
      child.disconnect();
      end();
    },
  };
}

interface Ended {
  readonly wallMs: number;
  readonly stdout: string;
}

/** What `npx sextant` starts. */
export const COMMAND = join(projectRoot, 'src', 'cli', 'launcher', 'sextant.js');

/** Runs a script or the command line with this Node, to its end. @throws when it ends badly, with what it said. */
export async function runNode(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const start = performance.now();
  const options = { env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 1e9 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return { wallMs: performance.now() - start, stdout };
}

export const sextant = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runNode([COMMAND, ...args], env);

/** The least of several runs: what the work costs when the machine does little else. */
export async function leastWallMs(times: number, work: () => Promise<Ended>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < times; index++) least = Math.min(least, (await work()).wallMs);
  return least;
}
