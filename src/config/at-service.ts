import { type AreaId, areaIds } from '../spec/index.ts';
import type { Environment } from './environment.ts';
import { EMBEDDED } from './folder.ts';

/** The addresses of an embedded service, without a trailing slash. */
export interface Listening {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
}

/** Whether the embedded service is started for an environment: by its name and loopback addresses. */
export function isEmbedded({ name, isLoopback }: Environment): boolean {
  return name === EMBEDDED && isLoopback;
}

/** `environment` with the addresses of a service on any ports; it has a provisioner only if it had one before. */
export function atService(environment: Environment, { addresses, provisionUrl }: Listening): Environment {
  return {
    ...environment,
    addresses: Object.fromEntries(areaIds.map((area) => [area, new URL(`${addresses[area]}/`)])) as Record<AreaId, URL>,
    ...(environment.provisionUrl ? { provisionUrl: new URL(`${provisionUrl}/`) } : {}),
  };
}
