import { connect } from 'node:net';
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
  const { addresses, requestTimeoutMs } = environment;
  const hosts = (result.area === 'all' ? areaIds : [result.area]).map((area) => addresses[area]);
  const answers = await Promise.all(hosts.map((address) => canConnect(hostPortOf(address), requestTimeoutMs)));
  if (answers.some(Boolean)) return result;
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

/** Whether a TCP connection can be opened. */
export function canConnect({ host, port }: HostPort, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
