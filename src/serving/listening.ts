import { ConfigurationError } from '../config/index.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The option of the command line that changes the port; default: `--port`. */
  readonly option?: string;
}

/** The error of a server that couldn't listen, in the user's words where the address is at fault. */
export function listenProblem(error: unknown, { host, port, option = '--port' }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new ConfigurationError(
      `Port ${port} on ${host} is already in use. Choose another with ${option}, or stop the process that uses it.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigurationError(`Cannot listen on ${host}: this machine has no such address.`);
  if (code === 'EACCES')
    return new ConfigurationError(`Cannot listen on port ${port}: permission denied. Choose a port above 1023.`);
  return error;
}

/** The origin of a server: an IPv6 address gets brackets. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
