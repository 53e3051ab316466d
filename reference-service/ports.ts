import { type AreaId, areaIds, areas } from '../src/service/index.ts';

/**
 * A port that the service needs is in use. The command line recognizes this error by its name, because to import the class would load the service.
 */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/** The port of each part; 0 picks a free one. */
export type Ports = Readonly<Record<AreaId | 'provisioner', number>>;

/** Consecutive ports from `first`: the areas in order, then the provisioner. For 0, free ports. */
export function portsFrom(first: number): Ports {
  const parts = [...areaIds, 'provisioner'] as const;
  return Object.fromEntries(parts.map((part, index) => [part, first === 0 ? 0 : first + index])) as Ports;
}

/** @throws PortTaken if two parts have the same port */
export function assertDifferent(ports: Ports): void {
  const named = Object.entries(ports).filter(([, port]) => port !== 0);
  const byPort = Map.groupBy(named, ([, port]) => port);
  for (const [port, parts] of byPort) {
    if (parts.length > 1)
      throw new PortTaken(
        `${parts.map(([part]) => keyOf(part)).join(' and ')} name the same port, ${port}. Give each one that is free.`,
      );
  }
}

function keyOf(part: string): string {
  return part === 'provisioner' ? 'PROVISION_URL' : areas[part as AreaId].addressKey;
}
