import { fetchByRoute, type Route } from '../../http/index.ts';
import { TroubleReport } from './trouble-report.ts';

/**
 * Sends the pings of each interval to the dead man's switch at `base`, if there is one. The switch raises the alarm when the pings stop.
 */
export function heartbeat(base: string | undefined, route: Route | undefined, say: (line: string) => void) {
  const trouble = new TroubleReport(say);
  /** Whether the receiver accepts `/start`. If it doesn't, it gets only the ping at the end of each interval. */
  let knowsStart = true;
  /** Sends a ping to `…/start`, the address itself, or `…/fail`, by the convention of healthchecks.io, Cronitor and others. */
  const ping = async (beat: 'start' | 'success' | 'fail') => {
    if (!base || (beat === 'start' && !knowsStart)) return;
    const url = new URL(base);
    // The suffix goes to the path, so that the query stays at the end of the address.
    if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
    try {
      const response = await fetchByRoute(url, { signal: AbortSignal.timeout(10_000) }, route);
      response.destroy();
      const { statusCode: status = 0 } = response;
      if (beat === 'start' && (status === 404 || status === 405)) knowsStart = false;
      else if (status >= 200 && status < 300) trouble.clear();
      else trouble.add(`The heartbeat failed: HEARTBEAT_URL returned status ${status}.`);
    } catch {
      trouble.add('The heartbeat failed: HEARTBEAT_URL could not be reached within 10 s.');
    }
  };
  return {
    begin: () => ping('start'),
    /**
     * Ends an interval (`EVERY` in the settings) and starts the next. `isWell`: whether the monitor itself works. The monitor may be well
     * although no run ended in the interval: environments may have longer intervals, and a service may hang.
     */
    next: async (isWell: boolean) => {
      await ping(isWell ? 'success' : 'fail');
      await ping('start');
    },
  };
}
