import http from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { makeAgent, proxyProblem, type Route, tlsOptions, userAgent } from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import { type AreaId, areaIds, areas } from '../../../spec/index.ts';

/** The result of pinging a base address. */
export interface Ping {
  readonly address: string;
  /** The areas that it serves. */
  readonly areas: readonly string[];
  /** Status of the response to `HEAD`; any status counts as a response. */
  readonly status?: number;
  readonly failure?: string;
  /** The code of the failure, of Node or OpenSSL; `DEADLINE` if there was no response in time. */
  readonly code?: string;
  readonly ms: number;
  /** By how much the server's clock (its `Date` header, in whole seconds) is ahead of this machine's, in ms. */
  readonly clockAheadMs?: number | undefined;
  /** Expiry of its certificate; epoch, in ms. */
  readonly certificateEnds?: number | undefined;
}

/** Sends one `HEAD` to each base address, or those of `areas`, without credentials; `ca` is trusted as well. */
export function pingAll(
  { addresses, requestTimeoutMs, route }: Pick<Environment, 'addresses' | 'requestTimeoutMs' | 'route'>,
  { ca, areas: asked = areaIds }: { readonly ca?: string; readonly areas?: readonly AreaId[] } = {},
): Promise<Ping[]> {
  const byAddress = Map.groupBy(asked, (area) => addresses[area].href);
  return Promise.all(
    [...byAddress].map(async ([address, served]) => {
      const start = performance.now();
      const outcome = await head(new URL(address), requestTimeoutMs, agentTo(new URL(address), route, ca), route);
      return { address, areas: served.map((area) => areas[area].title), ms: performance.now() - start, ...outcome };
    }),
  );
}

/** A connection of its own, on the environment's way. */
function agentTo(url: URL, route: Route | undefined, ca: string | undefined): http.Agent {
  return makeAgent(url, route, { keepAlive: false, ...(ca ? tlsOptions({ ca }) : {}) });
}

function head(
  url: URL,
  timeoutMs: number,
  agent: http.Agent,
  route: Route | undefined,
): Promise<Pick<Ping, 'status' | 'failure' | 'code' | 'clockAheadMs' | 'certificateEnds'>> {
  const sentAt = Date.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { method: 'HEAD', agent, headers: { 'user-agent': userAgent }, signal };
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      const certificateEnds = certificateEnd(response.socket);
      const clockAheadMs = clockAhead(response.headers.date, sentAt, Date.now());
      response.resume();
      request.destroy();
      resolve({ status: response.statusCode ?? 0, clockAheadMs, certificateEnds });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isLate = error.name === 'AbortError' || error.name === 'TimeoutError';
      const proxy = route?.proxyFor(url)?.url;
      const problem = !isLate && proxy && proxyProblem({ proxy, url, error, isConnected: false });
      if (problem) return resolve({ failure: problem.reason, code: problem.code });
      const code = isLate ? 'DEADLINE' : (error.code ?? error.name);
      resolve({ failure: isLate ? `no response within ${timeoutMs} ms` : code, code });
    });
    request.end();
  });
}

/** Nothing if the server's time, which has no fractions of a second, lies within the request. */
export function clockAhead(date: string | undefined, sentAt: number, receivedAt: number): number | undefined {
  const shown = Date.parse(date ?? '');
  if (Number.isNaN(shown)) return undefined;
  if (shown + 1_000 <= sentAt) return shown + 1_000 - sentAt;
  return shown > receivedAt ? shown - receivedAt : 0;
}

function certificateEnd(socket: object): number | undefined {
  const read = (socket as Partial<TLSSocket>).getPeerCertificate;
  if (!read) return undefined;
  const ends = Date.parse(read.call(socket as TLSSocket).valid_to);
  return Number.isNaN(ends) ? undefined : ends;
}
