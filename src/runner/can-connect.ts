import { connect, isIP, type Socket } from 'node:net';
import { Deadline, type Phase } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { areaIds } from '../spec/index.ts';
import type { ScenarioResult } from './scenario-result.ts';

/**
 * Probes the scenario's hosts when the provisioner failed, so that a broken helper can't hide an outage: the result
 * becomes `unreachable` when none of them accepts a connection.
 */
export async function provisionerFallback(result: ScenarioResult, environment: Environment): Promise<ScenarioResult> {
  // A host that is reached by a proxy or a pin says nothing to a plain connection.
  if (result.fault !== 'provisioner' || environment.route) return result;
  const { addresses, requestTimeoutMs: timeoutMs } = environment;
  const hosts = (result.area === 'all' ? areaIds : [result.area]).map((area) => addresses[area]);
  const problems = await Promise.all(hosts.map((address) => connectProblem(hostPortOf(address), { timeoutMs })));
  if (problems.includes(undefined)) return result;
  return {
    ...result,
    verdict: 'unreachable',
    grade: 'assumed',
    reason: `assumed: the service can be reached — ${hosts[0]?.origin} accepts no connection, and neither does the provisioner`,
  };
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

/** Why no connection can be opened. */
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
