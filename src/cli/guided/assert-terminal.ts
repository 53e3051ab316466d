import { ConfigurationError } from '../../config/index.ts';

interface Streams {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean };
}

/** @throws ConfigurationError when there is no terminal to ask on; `instead` is what to do then. */
export function assertTerminal(command: string, instead: string, { stdin, stdout }: Streams = process): void {
  if (stdin.isTTY && stdout.isTTY) return;
  throw new ConfigurationError(`${command} asks questions, and there is no terminal to ask on; ${instead}.`);
}
