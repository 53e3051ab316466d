import { Metrics } from '../metrics/metrics.ts';
import { Monitor, type MonitorOptions } from '../monitor.ts';
import { pageServer } from './server.ts';

/**
 * Starts a monitor and its status page.
 * @throws ConfigurationError when the port is in use or the history can't be opened.
 */
export async function startMonitor(options: MonitorOptions) {
  const { settings, guessCause, say } = options;
  const monitor = new Monitor(options);
  const metrics = new Metrics(monitor);
  const server = pageServer({ monitor, metrics, guessCause, say });
  const stop = async () => {
    await server.close();
    await monitor.stop();
  };
  const url = await server.listen({ host: settings.listen, port: settings.port }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  monitor.pageUrl = settings.pageUrl ?? url;
  monitor.onRun = (target, observed) => metrics.observed(target, observed);
  monitor.start();
  return {
    /** Address that the page listens on, with a trailing slash. */
    url,
    monitor,
    stop,
  };
}
