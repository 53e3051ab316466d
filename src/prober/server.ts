import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { responseLine } from '../client/index.ts';
import { type Environment, isLoopbackAddress, isLoopbackHost } from '../config/index.ts';
import { runScenario, type Scenario, type ScenarioResult } from '../runner/index.ts';
import {
  json,
  MOST_CONNECTIONS,
  type PageRequest,
  type PageResponse,
  PageServer,
  plain,
  type Route,
} from '../serving/index.ts';
import { type EnvironmentSource, type EnvironmentStore, environmentStore } from './environment-store.ts';
import { ALL, allowedIn, Modules } from './modules.ts';
import type { QueueLimits } from './probe-queue.ts';
import { type Measured, Prober } from './prober.ts';

/** When to ask again after a 503, in s. */
const RETRY_AFTER_S = '5';

/** What Prometheus sends with each scrape. */
const SCRAPE_TIMEOUT_HEADER = 'x-prometheus-scrape-timeout-seconds';

/** The longest that a probe takes, and what it takes without a scrape timeout; in ms. */
export const LONGEST_MS = 120_000;

/** Nothing happens on the connection while a probe runs. */
const limits = { headersMs: 5_000, requestMs: 10_000, idleMs: LONGEST_MS + 30_000 };

/** The metrics library is loaded with the first request that needs it; this loads it before. */
export const loadMetrics = () => import('./metrics.ts');

export interface StartOptions {
  readonly source: EnvironmentSource;
  readonly scenarios: readonly Scenario[];
  readonly listen: { readonly host: string; readonly port: number };
  readonly limits: QueueLimits;
  /** What is taken off the scrape timeout for the way of the response, in ms. */
  readonly offsetMs: number;
  readonly say: (line: string) => void;
}

/** Time for the last responses to leave, in ms. */
const LAST_BYTES_MS = 2_000;

/**
 * Starts a prober that answers: loads the environments, and listens.
 * @throws ConfigurationError when none can be used, or the address can't be listened on
 */
export async function startProber(options: StartOptions) {
  const { source, scenarios, listen, offsetMs, say } = options;
  const store = environmentStore(source, say);
  await store.look();
  store.assertOne();
  const prober = new Prober(store, new Modules(scenarios), options.limits, say);
  const server = new PageServer({
    limits,
    // Each that runs or waits is asked for on a connection; others join a run, or ask how the prober is.
    connections: options.limits.concurrency + options.limits.waiting + MOST_CONNECTIONS,
    headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    notFound: () => plain(404, 'Not found. There are /probe, /targets, /metrics, /healthz and /readyz.\n'),
    routes: routesOf(prober, offsetMs, listen.host),
  });
  const url = await server.listen({ ...listen, option: '--listen' });
  return {
    /** With a trailing slash. */
    url,
    prober,
    /** Finishes what is under way for at most `longestMs`, cleans up, and closes. */
    stop: async (longestMs: number) => {
      await prober.drain(longestMs);
      await server.close(LAST_BYTES_MS);
    },
  };
}

function routesOf(prober: Prober, offsetMs: number, host: string): Route[] {
  let metrics: Promise<() => Promise<PageResponse>> | undefined;
  const targets = scrapeTargets(prober.store, prober.modules);
  const guarded = (path: RegExp, reply: (asked: PageRequest) => PageResponse | Promise<PageResponse>): Route => ({
    method: 'GET',
    path,
    reply: (asked) => {
      const foreign = originProblem(asked.headers, host);
      return foreign ? plain(403, `${foreign}\n`) : reply(asked);
    },
  });
  return [
    guarded(/^\/probe$/, (asked) => probe(prober, asked, offsetMs)),
    guarded(/^\/targets$/, async () => json(await targets())),
    guarded(/^\/metrics$/, async () => {
      metrics ??= import('./metrics.ts').then(({ ownMetrics }) => ownMetrics(prober));
      return (await metrics)();
    }),
    guarded(/^\/healthz$/, () => json(healthOf(prober))),
    {
      method: 'GET',
      path: /^\/readyz$/,
      reply: () => (prober.isDraining ? plain(503, 'stopping\n') : plain(200, 'ready\n')),
    },
  ];
}

/**
 * Why a request may come from a foreign web page in a browser of this machine: such a page can make it send a GET, and with that a probe.
 * `undefined` for everything else. `listening` is the host that the server listens on.
 */
export function originProblem(headers: IncomingHttpHeaders, listening: string): string | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return 'Web pages may not ask a prober.';
  const asked = URL.parse(`http://${headers.host ?? ''}`);
  // On a loopback address, another host name would be DNS rebinding by a foreign site.
  if (isLoopbackHost(listening) && !(asked && isLoopbackAddress(asked)))
    return `This prober listens on ${listening} and answers under that name alone; --listen changes the address.`;
  return undefined;
}

async function probe(prober: Prober, { query, headers, gone }: PageRequest, offsetMs: number): Promise<PageResponse> {
  const timeout = headers[SCRAPE_TIMEOUT_HEADER];
  const measured = await prober.probe({
    target: query.get('target') ?? '',
    module: query.get('module') || ALL,
    limitMs: timeLimitMs(typeof timeout === 'string' ? timeout : undefined, offsetMs),
    gone,
  });
  if ('status' in measured) {
    const { status, reason } = measured;
    return plain(status, `${reason}\n`, status === 503 ? { 'retry-after': RETRY_AFTER_S } : {});
  }
  const { probeMetrics } = await import('./metrics.ts');
  const page = await probeMetrics(measured);
  return query.get('debug') === 'true' ? plain(200, debugLog(measured, page.body)) : { ...page, isPlain: true };
}

/** A process that answers is well: what is wrong with one environment must not end the others. */
function healthOf({ store, isDraining }: Prober): object {
  const problems = [...store.entries].flatMap(([environment, { served }]) =>
    served.state === 'ready' ? [] : [{ environment, reason: served.reason }],
  );
  return { isWell: problems.length === 0 && !isDraining, isDraining, environments: store.entries.size, problems };
}

/**
 * How long a probe may take, in ms: the scrape timeout less `offsetMs`, but at least half of it. A header that is absent, or isn't
 * a positive number of seconds, counts as the longest time.
 */
export function timeLimitMs(header: string | undefined, offsetMs: number): number {
  const text = header?.trim() ?? '';
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (seconds === 0) return LONGEST_MS;
  const ms = Math.min(seconds * 1_000, LONGEST_MS);
  return Math.max(ms - offsetMs, ms / 2);
}

/** The log of a probe for people; the server redacts it once more. */
function debugLog({ results, outcome, durationMs = 0 }: Measured, metrics: string): string {
  const judged = outcome.success === undefined ? 'not judged' : outcome.success ? 'success' : 'failure';
  return [
    `${judged}: ${outcome.verdict}, in ${Math.round(durationMs)} ms`,
    '',
    ...results.flatMap(scenarioLines),
    'Metrics of this probe:',
    metrics,
  ].join('\n');
}

function scenarioLines({ title, area, effect, verdict, reason, durationMs, ...rest }: ScenarioResult): string[] {
  const { exchanges, warnings = [], curl } = rest;
  return [
    `${verdict}  ${title} (${area}, ${effect}), ${Math.round(durationMs)} ms`,
    ...(reason ? [`  ${reason}`] : []),
    ...exchanges.map(({ operation, request, response, failure, durationMs: ms }) => {
      const seen = response ? responseLine(response, 200) : `no response: ${failure?.reason ?? 'unknown'}`;
      return `  ${operation}: ${request.method} ${request.url} — ${seen} (${Math.round(ms)} ms)`;
    }),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...(curl ? [`  ${curl}`] : []),
    '',
  ];
}

/** Lists every scenario that can run in every environment; where a file broke, what could run before. */
function scrapeTargets(store: EnvironmentStore, modules: Modules) {
  // An environment is another object when its files have changed.
  const known = new WeakMap<Environment, ReturnType<typeof groupsOf>>();
  return async () => {
    const all = [...store.entries].flatMap(([name, { usable }]) => {
      if (!usable) return [];
      const own = known.get(usable) ?? groupsOf(name, usable, modules);
      known.set(usable, own);
      return [own];
    });
    return (await Promise.all(all)).flat();
  };
}

/** Groups of Prometheus' http_sd, without what the environment never has the data for: it would be skipped each time, and nobody could do anything about it. */
async function groupsOf(name: string, environment: Environment, { scenarios }: Modules) {
  const groups: { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> }[] = [];
  for (const { slug, area, effect, scenario } of allowedIn(scenarios, environment)) {
    const identity = { seed: 'targets', runId: randomUUID() };
    const { verdict } = await runScenario(scenario, { environment, ...identity, isDryRun: true });
    if (verdict === 'skipped') continue;
    const labels = { __param_module: slug, environment: name, area, scenario: scenario.title, effect };
    groups.push({ targets: [name], labels });
  }
  return groups;
}
