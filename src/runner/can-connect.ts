import { connect } from 'node:net';

/** A TCP endpoint that is reachable whenever this machine is online. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export function hostPortOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Whether a TCP connection can be opened. */
export function canConnect({ host, port }: HostPort, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
