import { Metrics } from '../../metrics/metrics.ts';
import { Monitor, type MonitorOptions } from '../../monitor.ts';
import { boardOf } from '../scenario/board.ts';
import { tellPages } from './live.ts';
import { pagesOf } from './pages.ts';
import { pageServer } from './server.ts';

/**
 * Starts a monitor and its status page.
 * @throws ConfigurationError when the port is in use or the history can't be opened.
 */
export async function startMonitor(options: MonitorOptions) {
  const { settings, environments } = options;
  const monitor = new Monitor(options);
  const { recorder } = monitor;
  const metrics = new Metrics(monitor);
  const live = tellPages(() => recorder.edition);
  const board = boardOf(recorder, environments);
  const server = pageServer(pagesOf(monitor, board, metrics, options.guessCause), live, options.say);
  const stop = async () => {
    board.stop();
    live.stop();
    await server.close();
    await monitor.stop();
  };
  const url = await server.listen({ host: settings.listen, port: settings.port }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  monitor.pageUrl = settings.pageUrl ?? url;
  monitor.onRun = (target, observed) => metrics.observed(target, observed);
  monitor.onChange = () => live.look();
  monitor.start();
  board.start();
  return {
    /** Address that the page listens on, with a trailing slash. */
    url,
    monitor,
    stop,
  };
}
