import { connect, isIP, type Socket } from 'node:net';
import type { Environment } from '../../environment/index.ts';
import { type ConnectionFailure, curlLine, Deadline, isUnconnected, type Phase } from '../../http/index.ts';
import { type AreaId, areaIds, firstArea } from '../../service/index.ts';
import type { RunVerdict, ScenarioResult } from './result.ts';

/** The reason why a host could not be reached, in a scenario's call or in a test of the connection. `undefined` if the host was reached. */
export function lostHostOf(result: Pick<ScenarioResult, 'failing' | 'failures'>): ConnectProblem | undefined {
  return hostFailureOf(result) ?? result.failures?.[0]?.lost;
}

/** The reason why the failing call of a result got no connection. `undefined` if it got one. */
export function hostFailureOf({ failing }: Pick<ScenarioResult, 'failing'>): ConnectionFailure | undefined {
  return failing && isUnconnected(failing) && failing.failure?.code !== 'ABORTED' ? failing.failure : undefined;
}

/**
 * The base addresses that could not be reached, with the affected scenarios. Failures of one address count as one if they have the same
 * phase and code.
 */
export function hostFailures(results: readonly ScenarioResult[]) {
  const down = results.flatMap((result) => {
    const failure = hostFailureOf(result);
    const { failing } = result;
    return failure && failing ? [{ result, failure, failing, address: new URL(failing.request.url).origin }] : [];
  });
  const byHost = Map.groupBy(down, ({ address, failure }) => JSON.stringify([address, failure.phase, failure.code]));
  return [...byHost.values()].map((met) => {
    const [{ address, failure, failing, result }] = met as [(typeof met)[number]];
    const { phase, code, reason } = failure;
    return {
      ...{ address, phase, verdict: result.verdict, code, reason },
      areas: [...new Set(met.map((each) => each.failing.area))],
      /** A command that repeats one of the failing calls. */
      curl: curlLine(failing.request),
      scenarios: met.map((each) => each.result.title),
    };
  });
}

/** The results of connection attempts in this run, by origin, so that only one scenario waits for a host. */
export type AskedHosts = Map<string, Promise<ConnectProblem | undefined>>;

/**
 * If the provisioner created no users for a scenario, connects to the scenario's hosts, so that a broken provisioner can't hide an outage
 * of the service. If no host accepts a connection, the verdict becomes `unreachable`.
 */
export async function unlessReached(
  ended: RunVerdict,
  area: AreaId | 'all',
  { addresses, requestTimeoutMs, route }: Environment,
  longestMs = requestTimeoutMs,
  asked: AskedHosts = new Map(),
): Promise<RunVerdict> {
  // If a proxy or a pinned address is used, a plain connection to the host's name proves nothing.
  if (ended.lacks !== 'provisioner' || route) return ended;
  const areas = area === 'all' ? areaIds : [area];
  const problemOf = ({ origin }: URL) => {
    const timeoutMs = Math.min(longestMs, requestTimeoutMs);
    const found = asked.get(origin) ?? connectProblem(hostPortOf(new URL(origin)), { timeoutMs });
    asked.set(origin, found);
    return found;
  };
  const problems = await Promise.all(areas.map((each) => problemOf(addresses[each])));
  const [problem] = problems;
  if (!problem || problems.includes(undefined)) return ended;
  const { origin } = addresses[areas[0] ?? firstArea];
  const reason = `${origin} accepts no connection, and the provisioner returns no users`;
  const unreachable = { verdict: 'unreachable', grade: 'assumed', reason } as const;
  const { merely } = ended.failures?.[0] ?? {};
  const failure = {
    ...unreachable,
    category: unreachable.verdict,
    lost: { ...problem, origin, areas },
    ...(merely ? { merely } : {}),
  };
  return { ...ended, ...unreachable, reason: `${merely ? 'not tried: ' : ''}${reason}`, failures: [failure] };
}

/** Host and port of a TCP endpoint. An IPv6 address is written without brackets. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export function hostPortOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

export interface ConnectProblem {
  readonly phase: Phase;
  /** Code of the error: `ECONNREFUSED`, `DEADLINE` … */
  readonly code: string;
}

/** Connects without sending a request; with `upToTls`, makes the TLS handshake, too. Returns `undefined` on success. */
export function connectProblem(
  { host, port }: HostPort,
  { timeoutMs, upToTls = false }: { readonly timeoutMs: number; readonly upToTls?: boolean },
): Promise<ConnectProblem | undefined> {
  return new Promise((resolve) => {
    let phase: Phase = 'connect';
    const socket: Socket = upToTls
      ? process.getBuiltinModule('node:tls').connect({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connect({ host, port });
    const end = (problem?: ConnectProblem) => {
      limit.end();
      socket.destroy();
      resolve(problem);
    };
    const limit = new Deadline(timeoutMs);
    limit.signal.addEventListener('abort', () => end({ phase, code: 'DEADLINE' }));
    socket.once(upToTls ? 'secureConnect' : 'connect', () => end());
    socket.once('connect', () => {
      phase = upToTls ? 'tls' : phase;
    });
    socket.once('error', ({ code = 'CLOSED', syscall }: NodeJS.ErrnoException) =>
      end({ phase: syscall === 'getaddrinfo' ? 'dns' : phase, code }),
    );
  });
}
