import type { Ports } from '../../../reference-service/index.ts';
import type { Environment } from '../../config/index.ts';
import { areaIds } from '../../spec/index.ts';

/** The ports of a local service, from its environment's addresses. */
export function portsOf({ addresses, provisionUrl }: Environment): Ports {
  const byArea = areaIds.map((area) => [area, portOf(addresses[area])]);
  return { ...Object.fromEntries(byArea), provisioner: provisionUrl ? portOf(provisionUrl) : 0 } as Ports;
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
