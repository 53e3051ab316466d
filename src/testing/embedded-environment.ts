import { type Environment, loadEnvironment } from '../config/index.ts';
import { type AreaId, areaIds } from '../spec/index.ts';

interface Listening {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
}

/** Environment `local`, at the addresses of a service that listens on free ports. */
export function embeddedEnvironment(service: Listening, changes: Partial<Environment> = {}): Environment {
  const local = loadEnvironment('local');
  const addresses = Object.fromEntries(areaIds.map((area) => [area, new URL(`${service.addresses[area]}/`)]));
  return {
    ...local,
    // No test may depend on speed: a busy machine is not a slow service.
    slowAfterMs: 600_000,
    addresses: addresses as Environment['addresses'],
    provisionUrl: new URL(`${service.provisionUrl}/`),
    ...changes,
  };
}
