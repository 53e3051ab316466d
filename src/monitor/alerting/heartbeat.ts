import { fetchByRoute, type Route } from '../../client/index.ts';

/** `…/start`, the address itself, or `…/fail`: the convention of healthchecks.io, Cronitor and others. */
type Beat = 'start' | 'success' | 'fail';

export interface HeartbeatOptions {
  /** Address of the dead man's switch; absent: no heartbeat. */
  readonly url: string | undefined;
  readonly say: (line: string) => void;
  readonly route?: Route | undefined;
}

/** Reports each round to the dead man's switch. */
export class Heartbeat {
  readonly #url: string | undefined;
  readonly #route: Route | undefined;
  readonly #say: (line: string) => void;
  #runs = 0;
  #trouble: string | undefined;

  constructor({ url, say, route }: HeartbeatOptions) {
    this.#url = url;
    this.#route = route;
    this.#say = say;
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

  /** A problem is logged once, until it changes or goes away. */
  async #ping(beat: Beat): Promise<void> {
    if (!this.#url) return;
    const trouble = await ping(beatUrl(this.#url, beat), this.#route);
    if (trouble && trouble !== this.#trouble) this.#say(trouble);
    this.#trouble = trouble;
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
