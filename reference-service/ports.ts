import { type AreaId, areaIds, areas } from '../src/service/index.ts';

/**
 * Thrown if a port that the service needs is in use. The command line recognizes this error by its name, because importing the class would
 * load the whole service.
 */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/** The port of each part of the service. With 0, the system chooses a free port. */
export type Ports = Readonly<Record<AreaId | 'provisioner', number>>;

/** Consecutive ports from `first`: those of the areas in order, then the provisioner's. If `first` is 0, each part gets a free port. */
export function portsFrom(first: number): Ports {
  const parts = [...areaIds, 'provisioner'] as const;
  return Object.fromEntries(parts.map((part, index) => [part, first === 0 ? 0 : first + index])) as Ports;
}

/** Rejects ports that would be used twice. @throws PortTaken if two parts have the same port */
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
