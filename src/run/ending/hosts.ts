import { connect, isIP, type Socket } from 'node:net';
import type { Environment } from '../../environment/index.ts';
import { type ConnectionFailure, curlLine, Deadline, isUnconnected, type Phase } from '../../http/index.ts';
import { type AreaId, areaIds, firstArea } from '../../service/index.ts';
import type { RunVerdict, ScenarioResult } from './result.ts';

/** How a result's host failed, for a call or where none could be made; `undefined` if the host was reached. */
export function lostHostOf(result: Pick<ScenarioResult, 'failing' | 'failures'>): ConnectProblem | undefined {
  return hostFailureOf(result) ?? result.failures?.[0]?.lost;
}

/** The failure of a result's call; `undefined` if the host was reached. */
export function hostFailureOf({ failing }: Pick<ScenarioResult, 'failing'>): ConnectionFailure | undefined {
  return failing && isUnconnected(failing) && failing.failure?.code !== 'ABORTED' ? failing.failure : undefined;
}

/** Base addresses that can't be connected to: the failures of one in the same phase, combined, with the affected scenarios. */
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
      /** One of the failing calls. */
      curl: curlLine(failing.request),
      scenarios: met.map((each) => each.result.title),
    };
  });
}

/** The hosts of a run that were tried, so that no scenario waits for one again. */
export type AskedHosts = Map<string, Promise<ConnectProblem | undefined>>;

/**
 * Connects to the hosts of a scenario that no users were made for, so that a broken provisioner can't hide an outage: the scenario is
 * `unreachable` if none of them accepts a connection.
 */
export async function unlessReached(
  ended: RunVerdict,
  area: AreaId | 'all',
  { addresses, requestTimeoutMs, route }: Environment,
  longestMs = requestTimeoutMs,
  asked: AskedHosts = new Map(),
): Promise<RunVerdict> {
  // A host that is reached by a proxy or a pin says nothing to a plain connection.
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
  const reason = `${origin} accepts no connection, and the provisioner makes no users`;
  const told = { verdict: 'unreachable', grade: 'assumed', reason } as const;
  const { merely } = ended.failures?.[0] ?? {};
  const failure = {
    ...told,
    category: told.verdict,
    lost: { ...problem, origin, areas },
    ...(merely ? { merely } : {}),
  };
  return { ...ended, ...told, reason: `${merely ? 'not tried: ' : ''}${reason}`, failures: [failure] };
}

/** A TCP endpoint that is reachable whenever this machine is online. */
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
  /** `ECONNREFUSED`, `DEADLINE` … */
  readonly code: string;
}

/** Connects, with TLS if asked to, and sends no request; `undefined`: it succeeded. */
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
