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

  async #ping(beat: Beat): Promise<void> {
    const { url, route } = this.#options;
    if (!url) return;
    const trouble = await ping(beatUrl(url, beat), route);
    if (trouble) this.#trouble.add(trouble);
    else this.#trouble.clear();
  }
}

/** The address of a beat, with the query kept at its end. */
function beatUrl(base: string, beat: Beat): URL {
  const url = new URL(base);
  if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
  return url;
}

/** Pings the dead man's switch; returns the problem, if any. The switch itself raises the alarm when pings stop. */
async function ping(url: URL, route: Route | undefined): Promise<string | undefined> {
  try {
    const response = await fetchByRoute(url, { signal: AbortSignal.timeout(10_000) }, route);
    await response.body?.cancel();
    return response.ok ? undefined : `The heartbeat failed: HEARTBEAT_URL returned status ${response.status}.`;
  } catch {
    return 'The heartbeat failed: HEARTBEAT_URL could not be reached within 10 s.';
  }
}
