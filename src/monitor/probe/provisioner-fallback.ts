import type { Environment } from '../../config/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { areaIds } from '../../spec/index.ts';
import { canConnect, type HostPort } from './connectivity.ts';

/**
 * A helper that is gone must not hide that the service is: when the provisioner is silent, the hosts of the scenario
 * are asked for a connection in its stead. The result comes back unreachable when none of them gives one.
 */
export async function provisionerFallback(result: ScenarioResult, environment: Environment): Promise<ScenarioResult> {
  if (result.fault !== 'provisioner') return result;
  const { addresses, requestTimeoutMs } = environment;
  const hosts = (result.area === 'all' ? areaIds : [result.area]).map((area) => addresses[area]);
  const answers = await Promise.all(hosts.map((address) => canConnect(hostPortOf(address), requestTimeoutMs)));
  if (answers.some(Boolean)) return result;
  return {
    ...result,
    verdict: 'unreachable',
    grade: 'assumed',
    reason: `assumed: the service can be reached — ${hosts[0]?.origin} gives no connection, and neither does the provisioner`,
  };
}

function hostPortOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}
