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

/** Seconds after which a client that got a 503 may send the request again. */
const RETRY_AFTER_S = '5';

/** Header with the time limit of a scrape. Prometheus sends it with each scrape. */
const SCRAPE_TIMEOUT_HEADER = 'x-prometheus-scrape-timeout-seconds';

/** The longest time limit of a probe, in ms. It also applies if the request has no scrape timeout. */
export const LONGEST_MS = 120_000;

/**
 * Time limits of connections, in ms. The limit for an idle connection is longer than a probe may take, because the connection is idle while
 * the probe runs.
 */
const limits = { headersMs: 5_000, requestMs: 10_000, idleMs: LONGEST_MS + 30_000 };

export interface StartOptions {
  readonly source: EnvironmentSource;
  readonly scenarios: readonly Scenario[];
  readonly listen: { readonly host: string; readonly port: number };
  /**
   * Host names that requests may use. If the list is empty, a prober on a loopback address accepts only loopback names, and any other
   * prober accepts all names.
   */
  readonly hosts?: readonly string[];
  readonly limits: QueueLimits;
  /** Time to transfer the response, in ms. It is subtracted from the scrape timeout. */
  readonly offsetMs: number;
  readonly say: (line: string) => void;
}

/** When the server stops: how long it waits until its last responses are sent, in ms. */
const LAST_BYTES_MS = 2_000;

/**
 * Loads the environments, and starts a prober that listens for requests.
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
    // Each run keeps a connection open, even while it waits for its turn. Another MOST_CONNECTIONS connections are for health checks, and
    // for probes that join a run.
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
 * Why a request must be refused; `undefined` if it is allowed. The danger is a foreign web page: it can make a browser on this machine send
 * a GET, which would start a probe. `listening` is the host on which the server listens, `hosts` are the host names that requests may use.
 */
export function originProblem(
  headers: IncomingHttpHeaders,
  listening: string,
  hosts: readonly string[] = [],
): string | undefined {
  if (isForeign(headers)) return 'Web pages may not send requests to a prober.';
  const asked = URL.parse(`http://${headers.host ?? ''}`);
  if (asked && (isLoopbackAddress(asked) || hosts.includes(asked.hostname))) return undefined;
  // Refuse any other host name: by DNS rebinding, a foreign page can give its own host name the address of this machine.
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

/**
 * The prober's health. The status is always 200: a supervisor would restart the prober after another status, but a problem of one
 * environment is no reason for that.
 */
function healthOf({ store, isDraining }: Prober): object {
  const problems = [...store.entries].flatMap(([environment, { served }]) =>
    served.state === 'ready' ? [] : [{ environment, reason: served.reason }],
  );
  return { isWell: problems.length === 0 && !isDraining, isDraining, environments: store.entries.size, problems };
}

/**
 * How long a probe may take, in ms: the scrape timeout minus `offsetMs`, but at least half of the timeout. If there is no valid timeout in
 * the header (a positive number of seconds), a probe may take LONGEST_MS.
 */
export function timeLimitMs(header: string | undefined, offsetMs: number): number {
  const text = header?.trim() ?? '';
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (seconds === 0) return LONGEST_MS;
  const ms = Math.min(seconds * 1_000, LONGEST_MS);
  return Math.max(ms - offsetMs, ms / 2);
}
