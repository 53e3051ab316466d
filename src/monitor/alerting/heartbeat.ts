import { fetchByRoute, type Route } from '../../client/index.ts';
import { TroubleReport } from './trouble-report.ts';

/** `…/start`, the address itself, or `…/fail`: the convention of healthchecks.io, Cronitor and others. */
type Beat = 'start' | 'success' | 'fail';

interface HeartbeatOptions {
  /** Address of the dead man's switch; absent: no heartbeat. */
  readonly url: string | undefined;
  readonly say: (line: string) => void;
  readonly route?: Route | undefined;
}

/** Reports each round to the dead man's switch. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #trouble: TroubleReport;
  #runs = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#trouble = new TroubleReport(options.say);
  }

  /** A run was recorded. */
  ran(): void {
    this.#runs++;
  }

  begin(): Promise<void> {
    return this.#ping('start');
  }

  /** Ends a round and starts the next. A round succeeds when the monitor is healthy and recorded at least one run. */
  async next(isMonitorWell: boolean): Promise<void> {
    const isWell = isMonitorWell && this.#runs > 0;
    this.#runs = 0;
    await this.#ping(isWell ? 'success' : 'fail');
    await this.begin();
  }

  /** The switch itself raises the alarm when pings stop. */
  async #ping(beat: Beat): Promise<void> {
    const { url: base, route } = this.#options;
    if (!base) return;
    const url = new URL(base);
    // The query stays at its end.
    if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
    try {
      const response = await fetchByRoute(url, { signal: AbortSignal.timeout(10_000) }, route);
      await response.body?.cancel();
      if (response.ok) this.#trouble.clear();
      else this.#trouble.add(`The heartbeat failed: HEARTBEAT_URL returned status ${response.status}.`);
    } catch {
      this.#trouble.add('The heartbeat failed: HEARTBEAT_URL could not be reached within 10 s.');
    }
  }
}
