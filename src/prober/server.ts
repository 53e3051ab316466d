import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackAddress, isLoopbackHost } from '../environment/index.ts';
import type { Scenario } from '../run/index.ts';
import {
  isForeign,
  json,
  MOST_CONNECTIONS,
  type PageRequest,
  type PageResponse,
  PageServer,
  plain,
  type Route,
} from '../server/index.ts';
import { debugLog } from './debug-log.ts';
import { type EnvironmentSource, environmentStore } from './environment-store.ts';
import { ownMetrics, probeMetrics } from './metrics.ts';
import { ALL, Modules } from './modules.ts';
import { Prober, type QueueLimits } from './prober.ts';
import { scrapeTargets } from './scrape-targets.ts';

/** When a client may ask again after a 503, in s. */
const RETRY_AFTER_S = '5';

/** Header with a scrape's time limit, which Prometheus sends with each scrape. */
const SCRAPE_TIMEOUT_HEADER = 'x-prometheus-scrape-timeout-seconds';

/** The highest time limit of a probe, which is also the limit without a scrape timeout; in ms. */
export const LONGEST_MS = 120_000;

/** Time limits of connections, in ms. The idle limit is higher than a probe's, because nothing happens on the connection while a probe runs. */
const limits = { headersMs: 5_000, requestMs: 10_000, idleMs: LONGEST_MS + 30_000 };

export interface StartOptions {
  readonly source: EnvironmentSource;
  readonly scenarios: readonly Scenario[];
  readonly listen: { readonly host: string; readonly port: number };
  /** Host names that requests may use. If there are none, a prober on a loopback address accepts only loopback names, and any other accepts all. */
  readonly hosts?: readonly string[];
  readonly limits: QueueLimits;
  /** Time for the transfer of the response, which is subtracted from the scrape timeout; in ms. */
  readonly offsetMs: number;
  readonly say: (line: string) => void;
}

/** How long a server that stops waits for its last responses to be sent, in ms. */
const LAST_BYTES_MS = 2_000;

/**
 * Loads the environments and starts a prober that listens.
 * @throws ConfigurationError if no environment can be used, or the prober can't listen on the address
 */
export async function startProber(options: StartOptions) {
  const { source, scenarios, listen, hosts, offsetMs, say } = options;
  const store = environmentStore(source, say);
  await store.look();
  store.assertOne();
  const prober = new Prober(store, new Modules(scenarios), options.limits, say);
  const server = new PageServer({
    limits,
    // Each run that is under way or waits has a connection. The others are for probes that join a run, and for health checks.
    connections: options.limits.concurrency + options.limits.waiting + MOST_CONNECTIONS,
    headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    say,
    notFound: () => plain(404, 'Not found. There are /, /probe, /targets, /metrics, /healthz and /readyz.\n'),
    refusal: (headers) => originProblem(headers, listen.host, hosts),
    routes: routesOf(prober, offsetMs),
  });
  const url = await server.listen({ ...listen, option: '--listen' });
  return {
    /** The prober's address, with a trailing slash. */
    url,
    prober,
    /** Lets runs continue for at most `longestMs`, cleans up, and closes the server. */
    stop: async (longestMs: number) => {
      await prober.drain(longestMs);
      await server.close(LAST_BYTES_MS);
    },
  };
}

function routesOf(prober: Prober, offsetMs: number): Route[] {
  const targets = scrapeTargets(prober.store, prober.modules);
  const get = (path: RegExp, reply: Route['reply']): Route => ({ method: 'GET', path, reply });
  return [
    { ...get(/^\/probe$/, (asked) => probe(prober, asked, offsetMs)), isActing: true },
    get(/^\/$/, () => prober.last.page(prober.store.names)),
    get(/^\/targets$/, async () => json(await targets())),
    get(/^\/metrics$/, () => ownMetrics(prober)),
    get(/^\/healthz$/, () => json(healthOf(prober))),
    get(/^\/readyz$/, () => (prober.isDraining ? plain(503, 'stopping\n') : plain(200, 'ready\n'))),
  ];
}

/**
 * Why a request is refused if a foreign web page may have sent it, because such a page can make a browser of this machine start a probe with a
 * GET. `undefined` for any other request. `listening` is the host that the server listens on, `hosts` are host names that requests may use.
 */
export function originProblem(
  headers: IncomingHttpHeaders,
  listening: string,
  hosts: readonly string[] = [],
): string | undefined {
  if (isForeign(headers)) return 'Web pages may not send requests to a prober.';
  const asked = URL.parse(`http://${headers.host ?? ''}`);
  if (asked && (isLoopbackAddress(asked) || hosts.includes(asked.hostname))) return undefined;
  // Another host name may come from a foreign site by DNS rebinding.
  if (isLoopbackHost(listening))
    return `This prober accepts only requests to ${listening}; change that with --listen, or add host names with PROBER_HOSTS.`;
  const isAddress = asked !== null && isIP(asked.hostname.replace(/^\[|\]$/g, '')) > 0;
  return hosts.length === 0 || isAddress
    ? undefined
    : 'This prober accepts only requests to its address and to the names in PROBER_HOSTS (--hosts).';
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
  const page = probeMetrics(measured);
  return query.get('debug') === 'true' ? plain(200, debugLog(measured, page.body)) : page;
}

/** The prober's health. The status is always 200, because a problem of one environment is no reason to restart the process for all of them. */
function healthOf({ store, isDraining }: Prober): object {
  const problems = [...store.entries].flatMap(([environment, { served }]) =>
    served.state === 'ready' ? [] : [{ environment, reason: served.reason }],
  );
  return { isWell: problems.length === 0 && !isDraining, isDraining, environments: store.entries.size, problems };
}

/**
 * How long a probe may take, in ms: the scrape timeout minus `offsetMs`, but at least half of the timeout. If the header is absent, or isn't
 * a positive number of seconds, the limit is the longest time.
 */
export function timeLimitMs(header: string | undefined, offsetMs: number): number {
  const text = header?.trim() ?? '';
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (seconds === 0) return LONGEST_MS;
  const ms = Math.min(seconds * 1_000, LONGEST_MS);
  return Math.max(ms - offsetMs, ms / 2);
}
