import { join } from 'node:path';
import type { Environment } from '../../environment/index.ts';
import { type Served, startProber } from '../../prober/index.ts';
import type { QueueLimits } from '../../prober/prober.ts';
import type { Scenario } from '../../run/index.ts';
import { ownFolder } from '../own-folder.ts';
import { fetchOnce } from '../servers/listening.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The value of a metric; `undefined` if the page lacks it. `name` includes the labels, if the metric has any: `name{label="value"}`. */
  metric(name: string): number | undefined;
}

export type ProberBench = Awaited<ReturnType<typeof startProberBench>>;

export interface AskOptions {
  /** The scrape timeout that the request states, in s. */
  readonly timeoutS?: number;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** For tests: a prober on a free port. Its environments need no files; its state is in a temporary folder. */
export async function startProberBench(
  environments: readonly Environment[],
  scenarios: readonly Scenario[],
  limits: Partial<QueueLimits> = {},
) {
  const folder = ownFolder();
  Object.assign(process.env, { SEXTANT_OUTPUT: folder, SEXTANT_STATE: join(folder, 'state') });
  const served = new Map<string, Served>(
    environments.map((environment) => [environment.name, { state: 'ready', environment }]),
  );
  const saidLines: string[] = [];
  let looks = 0;
  const running = await startProber({
    source: {
      names: () => [...served.keys()],
      load: async (name) => served.get(name) as Served,
      // Each fingerprint differs from the last one, so the prober loads every environment again whenever it looks for changes.
      fingerprint: () => String(looks++),
    },
    scenarios,
    listen: { host: '127.0.0.1', port: 0 },
    limits: { concurrency: 10, waiting: 100, ...limits },
    offsetMs: 0,
    say: (line) => void saidLines.push(line),
  });
  const ask = async (path: string, { timeoutS, signal, headers = {}, method = 'GET' }: AskOptions = {}) => {
    const timeout = timeoutS === undefined ? {} : { 'x-prometheus-scrape-timeout-seconds': String(timeoutS) };
    const response = await fetchOnce(new URL(path, running.url), {
      method,
      headers: { ...timeout, ...headers },
      ...(signal ? { signal } : {}),
    });
    return answerOf(response, await response.text());
  };
  return {
    url: running.url,
    said: saidLines,
    /** The environments that the prober serves. A change takes effect at the next `look`. */
    served,
    look: () => running.prober.store.look(),
    ask,
    /** Resolves when a gauge or counter of the prober has this value. */
    until: async (metric: string, value: number) => {
      while ((await ask('/metrics')).metric(metric) !== value) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    stop: (longestMs = 60_000) => running.stop(longestMs),
  };
}

function answerOf({ status, headers }: Response, text: string): Answer {
  return {
    status,
    headers,
    text,
    metric: (name: string) => {
      const line = text.split('\n').find((each) => each.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.slice(name.length + 1));
    },
  };
}
