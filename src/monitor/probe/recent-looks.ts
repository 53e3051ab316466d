import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Phase } from '../../client/index.ts';
import { hostPortOf } from '../../runner/index.ts';
import type { Alike } from '../status/cause.ts';

export type LookFailure = Pick<Alike, 'phase' | 'code'>;

/** The notice waits for this, so it is short: an address that takes longer counts as timed out. In ms. */
const TIMEOUT_MS = 800;

/** Hundreds of scenarios can fail at once, and all of them ask for the same addresses. In ms. */
const KEEP_MS = 2_000;

/** Connects to addresses, to each at most once in two seconds. */
export class RecentLooks {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly at: number; readonly found: Promise<LookFailure | undefined> }>();

  constructor(timeoutMs = TIMEOUT_MS, now: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Connects, with TLS if `upTo` is that, and sends no request; returns the failure, if any. */
  look(origin: string, upTo: Phase): Promise<LookFailure | undefined> {
    const now = this.#now();
    for (const [key, { at }] of this.#kept) if (now - at >= KEEP_MS) this.#kept.delete(key);
    const isSecure = upTo === 'tls' && origin.startsWith('https:');
    const key = `${origin} ${isSecure}`;
    const { found } = this.#kept.get(key) ?? { found: look(new URL(origin), isSecure, this.#timeoutMs) };
    if (!this.#kept.has(key)) this.#kept.set(key, { at: now, found });
    return found;
  }
}

function look(address: URL, isSecure: boolean, timeoutMs: number): Promise<LookFailure | undefined> {
  const { host, port } = hostPortOf(address);
  return new Promise((resolve) => {
    let phase: Phase = 'connect';
    const socket: Socket = isSecure
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connect({ host, port });
    const end = (failure?: LookFailure) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failure);
    };
    const timer = setTimeout(() => end({ phase, code: 'DEADLINE' }), timeoutMs);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end());
    socket.once('connect', () => {
      phase = isSecure ? 'tls' : phase;
    });
    socket.once('error', ({ code = 'CLOSED', syscall }: NodeJS.ErrnoException) =>
      end({ phase: syscall === 'getaddrinfo' ? 'dns' : phase, code }),
    );
  });
}
