import type { FastifyInstance } from 'fastify';
import { type AreaId, areaIds } from '../src/spec/index.ts';
import { areaServer } from './area-server.ts';
import { FaultSwitch } from './faults/fault-switch.ts';
import { PortTaken } from './port-taken.ts';
import { assertDifferent, type Ports, portsFrom } from './ports.ts';
import { provisioner } from './provisioner.ts';
import { State } from './state/index.ts';

export interface ServiceOptions {
  /** A port for each part, or the first of consecutive ports. 0 picks free ones. */
  readonly port: number | Ports;
  /** The state file; in memory if absent. */
  readonly data?: string;
  /** Logs no failures: they are intended. */
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
  const ports = typeof port === 'number' ? portsFrom(port) : port;
  const areaServers = areaIds.map((area) => [area, areaServer(area, state, faults, quiet)] as const);
  const helper = provisioner(state);
  const servers: readonly FastifyInstance[] = [...areaServers.map(([, server]) => server), helper];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.close()));
    state.close();
  };
  try {
    assertDifferent(ports);
    const addresses: Partial<Record<AreaId, string>> = {};
    for (const [area, server] of areaServers) addresses[area] = await listen(server, ports[area]);
    const provisionUrl = await listen(helper, ports.provisioner);
    return { addresses: addresses as Service['addresses'], provisionUrl, faults, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does `work` while the service is up; it is stopped afterwards, however the work ended. @throws PortTaken */
export async function whileServing<T>(options: ServiceOptions, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService(options);
  try {
    return await work(service);
  } finally {
    await service.stop();
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
export type { Ports } from './ports.ts';
export { circumstances, type ServiceReading, serviceReadings } from './readings/index.ts';
export { seeded } from './state/index.ts';
