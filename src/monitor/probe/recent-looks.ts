import type { Phase } from '../../client/index.ts';
import { type ConnectProblem, connectProblem, hostPortOf } from '../../runner/index.ts';

/** The notice waits for this, so it is short: an address that takes longer counts as timed out. In ms. */
const TIMEOUT_MS = 800;

/** Hundreds of scenarios can fail at once, and all of them ask for the same addresses. In ms. */
const KEEP_MS = 2_000;

/** Connects to addresses, to each at most once in two seconds. */
export class RecentLooks {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly at: number; readonly found: Promise<ConnectProblem | undefined> }>();

  constructor(timeoutMs = TIMEOUT_MS, now: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Connects, with TLS if `upTo` is that; returns the problem, if any. */
  look(origin: string, upTo: Phase): Promise<ConnectProblem | undefined> {
    const now = this.#now();
    for (const [key, { at }] of this.#kept) if (now - at >= KEEP_MS) this.#kept.delete(key);
    const upToTls = upTo === 'tls' && origin.startsWith('https:');
    const key = `${origin} ${upToTls}`;
    const kept = this.#kept.get(key) ?? {
      at: now,
      found: connectProblem(hostPortOf(new URL(origin)), { timeoutMs: this.#timeoutMs, upToTls }),
    };
    this.#kept.set(key, kept);
    return kept.found;
  }
}
