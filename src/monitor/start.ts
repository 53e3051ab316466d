import { Metrics } from './metrics/metrics.ts';
import { Monitor, type MonitorOptions } from './monitor.ts';
import { Board } from './status-page/scenario/board.ts';
import { Live } from './status-page/server/live.ts';
import { Pages } from './status-page/server/pages.ts';
import { pageServer } from './status-page/server/server.ts';

/** A running monitor with its status page. */
export interface RunningMonitor {
  /** Address that the page listens on, with a trailing slash. */
  readonly url: string;
  readonly monitor: Monitor;
  stop(): Promise<void>;
}

/**
 * Starts a monitor and its status page.
 * @throws ConfigurationError when the port is in use or the history can't be opened.
 */
export async function startMonitor(options: MonitorOptions): Promise<RunningMonitor> {
  const { settings, environments } = options;
  const monitor = new Monitor(options);
  const health = () => monitor.health();
  const { recorder } = monitor;
  const metrics = new Metrics({
    scenarios: () => recorder.scenarios.monitored,
    openIncidents: () => recorder.incidents.open,
    environments: environments.map(({ name }) => name),
    health,
    ...(settings.location ? { location: settings.location } : {}),
  });
  const live = new Live(() => recorder.edition);
  const board = new Board(recorder, environments);
  const pages = new Pages({
    recorder,
    board,
    environments,
    settings,
    metrics,
    health,
    pageUrl: () => monitor.pageUrl,
    guessCause: options.guessCause ?? (() => undefined),
    runNow: (isChosen) => monitor.runNow(isChosen),
  });
  const server = pageServer(pages, live);
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
  return { url, monitor, stop };
}
