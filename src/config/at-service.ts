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

/** Where an embedded service listens whose own ports were in use: its first port, for the processes of a run. */
export const LOCAL_PORT_VARIABLE = 'SEXTANT_LOCAL_PORT';

/** An embedded environment on consecutive ports from `first`: the areas in order, then the provisioner. */
export function atPort(environment: Environment, first: number): Environment {
  const at = (index: number) => `http://127.0.0.1:${first + index}`;
  const addresses = Object.fromEntries(areaIds.map((area, index) => [area, at(index)])) as Listening['addresses'];
  return atService(environment, { addresses, provisionUrl: at(areaIds.length) });
}
