import { canConnect, type HostPort } from '../../runner/index.ts';

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
