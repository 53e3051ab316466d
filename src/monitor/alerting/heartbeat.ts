import { fetchByRoute, type Route } from '../../client/index.ts';
import { TroubleReport } from './trouble-report.ts';

/** `…/start`, the address itself, or `…/fail`: the convention of healthchecks.io, Cronitor and others. */
type Beat = 'start' | 'success' | 'fail';

/** Reports each round to the dead man's switch, if there is one. */
export class Heartbeat {
  readonly #base: string | undefined;
  readonly #route: Route | undefined;
  readonly #trouble: TroubleReport;
  #runs = 0;

  constructor(base: string | undefined, route: Route | undefined, say: (line: string) => void) {
    this.#base = base;
    this.#route = route;
    this.#trouble = new TroubleReport(say);
  }

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
    if (!this.#base) return;
    const url = new URL(this.#base);
    // The query stays at its end.
    if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
    try {
      const response = await fetchByRoute(url, { signal: AbortSignal.timeout(10_000) }, this.#route);
      await response.body?.cancel();
      if (response.ok) this.#trouble.clear();
      else this.#trouble.add(`The heartbeat failed: HEARTBEAT_URL returned status ${response.status}.`);
    } catch {
      this.#trouble.add('The heartbeat failed: HEARTBEAT_URL could not be reached within 10 s.');
    }
  }
}
