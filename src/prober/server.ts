import { type Asking, type PageResponse, PageServer, type Route } from '../serving/index.ts';
import { debugLog } from './debug-log.ts';
import { ALL } from './modules.ts';
import type { Prober } from './prober.ts';
import { scrapeTargets } from './scrape-targets.ts';
import { LONGEST_MS, SCRAPE_TIMEOUT_HEADER, timeLimitMs } from './scrape-timeout.ts';
import { whyForeign } from './why-foreign.ts';

export interface ProberServerOptions {
  /** What is taken off the scrape timeout for the way of the response, in ms. */
  readonly offsetMs: number;
  /** The host that it listens on. */
  readonly host: string;
}

/** When to ask again after a 503, in s. */
const RETRY_AFTER_S = '5';

/** Nothing happens on the connection while a probe runs. */
const limits = { headersMs: 5_000, requestMs: 10_000, idleMs: LONGEST_MS + 30_000 };

/** The metrics library is loaded with the first request that needs it; this loads it before. */
export const loadMetrics = () => Promise.all([import('./own-metrics.ts'), import('./probe-metrics.ts')]);

/** The prober's HTTP server; it doesn't listen yet. */
export function proberServer(prober: Prober, { offsetMs, host }: ProberServerOptions): PageServer {
  let metrics: Promise<() => Promise<{ readonly type: string; readonly text: string }>> | undefined;
  const targets = scrapeTargets(prober.store, prober.modules);
  const guarded = (path: RegExp, reply: (asked: Asking) => PageResponse | Promise<PageResponse>): Route => ({
    method: 'GET',
    path,
    reply: (asked) => {
      const foreign = whyForeign(asked.headers, host);
      return foreign ? plain(403, `${foreign}\n`) : reply(asked);
    },
  });
  return new PageServer({
    limits,
    headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    notFound: () => plain(404, 'Not found. There are /probe, /targets, /metrics, /healthz and /readyz.\n'),
    routes: [
      guarded(/^\/probe$/, (asked) => probe(prober, asked, offsetMs)),
      guarded(/^\/targets$/, async () => json(await targets())),
      guarded(/^\/metrics$/, async () => {
        metrics ??= import('./own-metrics.ts').then(({ ownMetrics }) => ownMetrics(prober));
        const { type, text } = await (await metrics)();
        return typed(type, text);
      }),
      guarded(/^\/healthz$/, () => json(healthOf(prober))),
      {
        method: 'GET',
        path: /^\/readyz$/,
        reply: () => (prober.isDraining ? plain(503, 'stopping\n') : plain(200, 'ready\n')),
      },
    ],
  });
}

async function probe(prober: Prober, { query, headers, gone }: Asking, offsetMs: number): Promise<PageResponse> {
  const timeout = headers[SCRAPE_TIMEOUT_HEADER];
  const measured = await prober.probe({
    target: query.get('target') ?? '',
    module: query.get('module') || ALL,
    limitMs: timeLimitMs(typeof timeout === 'string' ? timeout : undefined, offsetMs),
    gone,
  });
  if ('status' in measured) {
    const { status, reason } = measured;
    const { headers: type, ...rest } = plain(status, `${reason}\n`);
    return { ...rest, headers: { ...type, ...(status === 503 ? { 'retry-after': RETRY_AFTER_S } : {}) } };
  }
  const { probeMetrics } = await import('./probe-metrics.ts');
  const { type, text } = await probeMetrics(measured);
  if (query.get('debug') === 'true') return plain(200, debugLog(measured, text));
  return { ...typed(type, text), isPlain: true };
}

/** A process that answers is well: what is wrong with one environment must not end the others. */
function healthOf({ store, isDraining }: Prober): object {
  const problems = store.names.flatMap((name) => {
    const served = store.get(name);
    return !served || served.state === 'ready' ? [] : [{ environment: name, reason: served.reason }];
  });
  return { isWell: problems.length === 0 && !isDraining, isDraining, environments: store.names.length, problems };
}

function plain(status: number, body: string): PageResponse {
  return { status, ...typed('text/plain; charset=utf-8', body) };
}

function json(value: object): PageResponse {
  return typed('application/json; charset=utf-8', JSON.stringify(value));
}

function typed(type: string, body: string): PageResponse {
  return { headers: { 'content-type': type }, body };
}
