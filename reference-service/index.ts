import { type AreaId, areaIds } from '../src/spec/index.ts';
import { areaServer } from './area-server.ts';
import { FaultSwitch } from './faults/fault-switch.ts';
import type { JsonServer } from './json-server.ts';
import { PortTaken } from './port-taken.ts';
import { assertDifferent, type Ports, portsFrom } from './ports.ts';
import { provisioner } from './provisioner.ts';
import { openState } from './state/index.ts';

export interface ServiceOptions {
  /** A port for each part, or the first of consecutive ports. 0 picks free ones. */
  readonly port: number | Ports;
  /** Takes the next consecutive ports that are free, if those are in use. */
  readonly mayMove?: boolean;
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

/** How many other places are tried for a service whose ports are in use, and how far apart they are. */
const PLACES = 40;
const APART = 10;

/** @throws PortTaken */
export async function startService({ port, mayMove = false, ...options }: ServiceOptions): Promise<Service> {
  const wanted = typeof port === 'number' ? portsFrom(port) : port;
  assertDifferent(wanted);
  const first = Math.min(...Object.values(wanted));
  for (let place = 0; ; place++) {
    try {
      return await startAt(place === 0 ? wanted : portsFrom(first + APART * place), options);
    } catch (error) {
      if (!(error instanceof PortTaken) || !mayMove || place === PLACES) throw error;
    }
  }
}

async function startAt(ports: Ports, { data, quiet = false }: Omit<ServiceOptions, 'port'>): Promise<Service> {
  const state = openState(data);
  const faults = new FaultSwitch();
  const areaServers = areaIds.map((area) => [area, areaServer(area, state, faults, quiet)] as const);
  const helper = provisioner(state);
  const servers: readonly JsonServer[] = [...areaServers.map(([, server]) => server), helper];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.close()));
    state.close();
  };
  try {
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

async function listen(server: JsonServer, port: number): Promise<string> {
  try {
    return await server.listen(HOST, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new PortTaken(
      `Port ${port} on ${HOST} is already in use. Stop the process that uses it (\`lsof -i :${port}\` shows it), or choose other ports: \`sextant serve --port 5010\`, or the addresses in the environment's file.`,
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
