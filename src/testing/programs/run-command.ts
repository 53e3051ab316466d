import assert from 'node:assert/strict';
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from '../../environment/project-root.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import { ownEnvironments } from '../own-folder.ts';
import { environmentText } from '../test-environment.ts';
import { plainEnvironment, startChild } from './child.ts';

export const COMMAND = join(projectRoot, 'src', 'cli', 'launcher', 'sextant.js');

export type RunningCommand = ReturnType<typeof startProgram>;

export function startProgram(program: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = startChild(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  /** Resolves with the exit code of the program. */
  const ended = once(child, 'close').then(([code]) => code as number | null);
  /** The output of the program so far, from both streams. */
  const said = () => text;
  return { child, said, ended };
}

/** Starts `sextant <args>` as a user would. */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  command = COMMAND,
  cwd?: string,
): RunningCommand {
  return startProgram(process.execPath, [command, ...args], { env: { ...plainEnvironment(), ...env }, cwd });
}

/** Runs `sextant <args>` to its end, which must be `code`; resolves with its output. */
export async function ran(args: readonly string[], env: Readonly<Record<string, string>>, code = 0): Promise<string> {
  const { said, ended } = startCommand(args, env);
  assert.equal(await ended, code, said());
  return said();
}

/** The number of ports that the reference service needs: one for each area, and one for the provisioner. */
const PORTS = areaIds.length + 1;

/** Finds `count` consecutive free ports, below the system's ephemeral ports; returns the first. */
export async function freePortsInARow(count = PORTS): Promise<number> {
  for (let base = 20_000 + (process.pid % 1_000) * PORTS; base < 32_000; base += PORTS) {
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(base + index)));
    if (free.every(Boolean)) return base;
  }
  throw new Error(`no ${count} ports in a row are free`);
}

/** Whether nothing listens on a port. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1' });
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Waits until `condition` holds; fails if the command ends first. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { ended, said }: Pick<RunningCommand, 'ended' | 'said'>,
  everyMs = 50,
): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!(await condition())) {
    if (hasEnded && !(await condition())) throw new Error(`the command ended without it; it said:\n${said()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

export function addressesFrom(base: number): Record<AreaId, string> {
  const pairs = areaIds.map((area, index) => [area, `http://127.0.0.1:${base + index}`]);
  return Object.fromEntries(pairs) as Record<AreaId, string>;
}

/** A folder for testing a command: an environment `local` on free ports, and a folder for the output. */
export async function localElsewhere() {
  /** The first of the consecutive ports of `local`: one for each area, then that of the provisioner. */
  const base = await freePortsInARow();
  const provisioner = { PROVISION_URL: `http://127.0.0.1:${base + areaIds.length}` };
  return { base, ...ownEnvironments({ local: environmentText(addressesFrom(base), provisioner) }) };
}

/** Starts `sextant prober` for a folder of environments, and stops it after the test; its files go to `folder`. */
export async function startProberCommand(t: TestContext, folder: string, environments: string) {
  const command = startCommand(['prober', '--env', '*', '--listen', '127.0.0.1:0', '--yes', '--trust-state'], {
    SEXTANT_ENVIRONMENTS: environments,
    SEXTANT_OUTPUT: join(folder, 'results'),
    SEXTANT_STATE: join(folder, 'state'),
  });
  t.after(async () => {
    command.child.kill('SIGTERM');
    await command.ended;
  });
  await until(() => /Prober: http/.test(command.said()), command);
  const [, address = ''] = /Prober: http:\/\/([\d.:]+)/.exec(command.said()) ?? [];
  return { command, address };
}
