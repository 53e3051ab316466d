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

/** Decides between "they are down" and "we are offline" when nothing responds. */
export class Connectivity {
  readonly #probe: HostPort | undefined;
  readonly #timeoutMs: number;
  #lastAnswerAt = Number.NEGATIVE_INFINITY;

  constructor(probe: HostPort | undefined, timeoutMs = 5_000) {
    this.#probe = probe;
    this.#timeoutMs = timeoutMs;
  }

  /** Some service of any environment responded. */
  answered(at: number): void {
    this.#lastAnswerAt = Math.max(this.#lastAnswerAt, at);
  }

  /** The reason why an unreachable result of an attempt begun at `since` proves nothing; `undefined` if it does. */
  async whyCutOff(since: number): Promise<string | undefined> {
    if (!this.#probe || this.#lastAnswerAt >= since) return undefined;
    if (await canConnect(this.#probe, this.#timeoutMs)) return undefined;
    const { host, port } = this.#probe;
    return `this machine is offline: no service responds, and CONNECTIVITY_PROBE ${host}:${port} can't be reached either`;
  }
}
