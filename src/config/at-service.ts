import { type AreaId, areaIds } from '../spec/index.ts';
import type { Environment } from './environment.ts';
import { EMBEDDED } from './folder.ts';

/** Where an embedded service listens; addresses without a trailing slash. */
export interface Listening {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
}

/** Whether the embedded service is started for an environment: it has the name, and addresses on this machine. */
export function isEmbedded({ name, isLoopback }: Environment): boolean {
  return name === EMBEDDED && isLoopback;
}

/** `environment`, its requests sent to a service on whatever ports it was given; users are only made where they were. */
export function atService(environment: Environment, { addresses, provisionUrl }: Listening): Environment {
  return {
    ...environment,
    addresses: Object.fromEntries(areaIds.map((area) => [area, new URL(`${addresses[area]}/`)])) as Record<AreaId, URL>,
    ...(environment.provisionUrl ? { provisionUrl: new URL(`${provisionUrl}/`) } : {}),
  };
}
