import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startChild } from '../../../src/testing/programs/child.ts';

/** Free ports; each is taken until all are known, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

export interface StartedProgram {
  readonly name: string;
  /** Both outputs. */
  said(): string;
  stop(): Promise<void>;
  readonly child: ChildProcess;
}

/** Starts a program of the system. */
export function startProgram(name: string, args: readonly string[]): StartedProgram {
  const child = startChild(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return {
    name,
    child,
    said: () => text,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Waits for a condition; fails if one of the programs ends first, with what it said. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  programs: readonly StartedProgram[],
): Promise<void> {
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    const ended = programs.find(({ child }) => child.exitCode !== null || child.signalCode !== null);
    if (ended) throw new Error(`${ended.name} ended before: ${what}. It said:\n${ended.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
