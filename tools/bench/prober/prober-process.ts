import { startCommand, until } from '../../../src/testing/run-command.ts';

export interface ProberProcess {
  /** With a trailing slash. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts `sextant prober` on a free port. */
export async function startProberProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProberProcess> {
  const command = startCommand(['prober', '--listen', '127.0.0.1:0', '--trust-state', ...args], env);
  const url = () => /Prober: (http:\S+)/.exec(command.said())?.[1];
  await until(() => url() !== undefined, command);
  return {
    url: url() as string,
    pid: command.child.pid as number,
    stop: async () => {
      command.child.kill('SIGTERM');
      await command.ended;
    },
  };
}
