/*
 * An embedded service with all areas, for trials, the drill and tests.
 * Input: ports and, to keep the state, a file.
 * Faults and readings can be switched on while it runs.
 */
import { validateRequest } from '../schemas/index.ts';
import { type AreaId, areaIds, type Operation, operation, operationIds, readProfile } from '../src/service/index.ts';
import { assumed } from './assumptions/values.ts';
import { authenticate } from './authenticate.ts';
import { FaultSwitch } from './faults/fault-switch.ts';
import type { Handler } from './handler-request.ts';
import { readProfile as handleReadProfile, served } from './handlers/index.ts';
import { JsonServer, type Route } from './json-server.ts';
import { assertDifferent, type Ports, PortTaken, portsFrom } from './ports.ts';
import { provisioner } from './provisioner.ts';
import { Refusal } from './refusal.ts';
import { openState, type State } from './state/index.ts';

/** This service's own request for operation 12, because the specification doesn't show it. */
export const ownReadProfile: Operation = { ...readProfile, method: 'GET', path: '/v1/profile/{userId}' };

function areaServer(area: AreaId, state: State, faults: FaultSwitch, quiet = false): JsonServer {
  const all: [Operation, Handler][] = operationIds.map((id) => [operation(id), served[id].handle as Handler]);
  if (area === ownReadProfile.area) all.push([ownReadProfile, handleReadProfile as Handler]);
  // Operations 11 and 12 have the same request. JsonServer uses the first route that matches, which is operation 11's.
  const routes = all
    .filter(([entry]) => entry.area === area)
    .map(([entry, handler]) => routeOf(state, faults, entry, handler));
  return new JsonServer(routes, faults, quiet);
}

function routeOf(state: State, faults: FaultSwitch, entry: Operation, original: Handler): Route {
  const { id, method, path } = entry;
  return {
    ...{ method, path, operation: id },
    handle: async ({ headers, params }, readBody) => {
      const read = (name: string) => [headers[name]].flat()[0];
      // The service authenticates before it reads the body, so that unauthenticated callers learn nothing about valid bodies.
      const identity = authenticate(state, entry, read, faults.unchecked(id, read));
      const args = entry.request ? faults.validator(id, validBody)(entry, await readBody()) : params;
      return faults.handler(id, original)({ state, ...identity, args, now: new Date() });
    },
  };
}

function validBody(entry: Operation, body: unknown): unknown {
  const problems = entry.request ? validateRequest(entry.request, body) : [];
  if (problems.length === 0) return body;
  const text = problems.map(({ path, message }) => `${path || 'body'}: ${message}`).join('; ');
  throw new Refusal(assumed.invalidBody, 'invalid_body', text);
}

export interface ServiceOptions {
  /** A port for each part, or the first of consecutive ports. With 0, the system chooses free ports. */
  readonly port: number | Ports;
  /** Whether the service may use another range of ports if these are in use. */
  readonly mayMove?: boolean;
  /** The state file. If absent, the state is only in memory. */
  readonly data?: string;
  /** True to log no failures, because the caller causes them on purpose. */
  readonly quiet?: boolean;
}

export interface Service {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
  readonly faults: FaultSwitch;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** If ports are in use: the number of other ranges to try, and the distance from one range to the next. */
const PLACES = 40;
const APART = 10;

/**
 * Starts the service on the given ports, or with `mayMove` on others if these are in use.
 * @throws PortTaken
 */
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

/**
 * Starts the service, runs `work`, and stops the service again, even if `work` fails.
 * @throws PortTaken
 */
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
export type { Ports } from './ports.ts';
export { PortTaken } from './ports.ts';
export { circumstances, type ServiceReading, serviceReadings } from './readings/index.ts';
export { seeded } from './state/index.ts';
