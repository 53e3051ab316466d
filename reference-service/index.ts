import type { FastifyInstance } from 'fastify';
import { type AreaId, areaIds } from '../src/spec/index.ts';
import { areaServer } from './area-server.ts';
import { FaultSwitch } from './faults/fault-switch.ts';
import { PortTaken } from './port-taken.ts';
import { provisioner } from './provisioner.ts';
import { State } from './state/index.ts';

export interface ServiceOptions {
  /** The first of seven ports in a row: six areas in the catalogue's order, then the provisioner. 0 takes free ones. */
  readonly port: number;
  /** Where the state is kept; in memory when absent. */
  readonly data?: string;
  /** Writes nothing about its own failures: they are made on purpose. */
  readonly quiet?: boolean;
}

/** The reference service, listening on loopback. */
export interface Service {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
  readonly faults: FaultSwitch;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** @throws PortTaken */
export async function startService({ port, data, quiet = false }: ServiceOptions): Promise<Service> {
  const state = new State(data);
  const faults = new FaultSwitch();
  const servers: FastifyInstance[] = [
    ...areaIds.map((area) => areaServer(area, state, faults, quiet)),
    provisioner(state),
  ];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.close()));
    state.close();
  };
  try {
    const addresses: string[] = [];
    for (const [index, server] of servers.entries())
      addresses.push(await listen(server, port === 0 ? 0 : port + index));
    const byArea = Object.fromEntries(areaIds.map((area, index) => [area, addresses[index]])) as Record<AreaId, string>;
    return { addresses: byArea, provisionUrl: addresses[areaIds.length] as string, faults, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(server: FastifyInstance, port: number): Promise<string> {
  try {
    return await server.listen({ host: HOST, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new PortTaken(
      `Port ${port} on ${HOST} is already in use. Stop the process that uses it (\`lsof -i :${port}\` shows it), or choose other ports.`,
    );
  }
}

export { ownReadProfile } from './area-server.ts';
export type { Fault } from './faults/fault-switch.ts';
export {
  type CataloguedFault,
  type Deadlines,
  type FaultKind,
  faultKinds,
  faults,
  type Variant,
  variants,
} from './faults/index.ts';
export { PortTaken } from './port-taken.ts';
export { seeded } from './state/index.ts';
