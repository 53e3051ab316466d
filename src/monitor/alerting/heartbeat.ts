import { type Beat, ping } from './heartbeat-ping.ts';

export interface HeartbeatOptions {
  /** The dead man's switch; absent: nobody is told. */
  readonly url: string | undefined;
  readonly say: (line: string) => void;
}

/** Tells the dead man's switch how each round went. */
export class Heartbeat {
  readonly #url: string | undefined;
  readonly #say: (line: string) => void;
  #runs = 0;
  #trouble: string | undefined;

  constructor({ url, say }: HeartbeatOptions) {
    this.#url = url;
    this.#say = say;
  }

  /** A run was written down. */
  ran(): void {
    this.#runs++;
  }

  begin(): Promise<void> {
    return this.#ping('start');
  }

  /** Ends a round and begins the next; it went well when runs were written down in it and the monitor is well. */
  async next(isMonitorWell: boolean): Promise<void> {
    const isWell = isMonitorWell && this.#runs > 0;
    this.#runs = 0;
    await this.#ping(isWell ? 'success' : 'fail');
    await this.begin();
  }

  /** A switch that doesn't answer is said once, until it does again. */
  async #ping(beat: Beat): Promise<void> {
    if (!this.#url) return;
    const trouble = await ping(this.#url, beat);
    if (trouble && trouble !== this.#trouble) this.#say(trouble);
    this.#trouble = trouble;
  }
}
