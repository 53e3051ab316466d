import type { Ports } from '../../../reference-service/index.ts';
import {
  atService,
  attempt,
  ConfigurationError,
  EMBEDDED,
  type Environment,
  isEmbedded,
  loadEnvironment,
} from '../../environment/index.ts';
import { areaIds, firstArea } from '../../service/index.ts';

/**
 * Runs `work` with the environment. For the embedded environment, starts the reference service first, and stops it afterwards. If the
 * service's ports are in use and `mayMove` is set, the service listens on other ports. Then a message on stderr names these ports, and
 * `work` gets an environment with them.
 * @throws PortTaken if the ports are in use and `mayMove` isn't set
 */
export async function withService<T>(
  environment: Environment,
  work: (at: Environment) => Promise<T>,
  { mayMove = true }: { readonly mayMove?: boolean } = {},
): Promise<T> {
  if (!isEmbedded(environment)) return work(environment);
  // Loaded only here, because other environments don't need the reference service.
  const { whileServing } = await import('../../../reference-service/index.ts');
  return whileServing({ port: portsOf(environment), mayMove }, (service) => {
    if (new URL(service.addresses[firstArea]).port === environment.addresses[firstArea].port) return work(environment);
    const moved = atService(environment, service);
    const [wanted, taken] = [environment, moved].map((each) => range(portsOf(each)));
    process.stderr.write(`Ports ${wanted} are in use, so the embedded service listens on ${taken}.\n`);
    return work(moved);
  });
}

function range(ports: Ports): string {
  const all = Object.values(ports).filter((port) => port > 0);
  return `${Math.min(...all)}–${Math.max(...all)}`;
}

/** The ports of a local service, from its environment's addresses. */
export function portsOf({ addresses, provisionUrl }: Environment): Ports {
  const byArea = areaIds.map((area) => [area, portOf(addresses[area])]);
  return { ...Object.fromEntries(byArea), provisioner: provisionUrl ? portOf(provisionUrl) : 0 } as Ports;
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/**
 * If `loaded` is the embedded environment, returns it with the addresses at which the service was started; otherwise returns it unchanged.
 */
export function whereStarted(loaded: Environment, { addresses, provisionUrl }: Environment): Environment {
  if (loaded.name !== EMBEDDED) return loaded;
  return { ...loaded, addresses, ...(loaded.provisionUrl && provisionUrl ? { provisionUrl } : {}) };
}

/**
 * Runs `work` while the embedded service runs, if `names` contain its environment. If the service's ports are in use, there are two cases:
 * with `areNamed` (the user has named environments), uses the service that listens there already; otherwise starts the service on other
 * ports. `work` gets a function that sets the service's addresses in an environment that it loads later.
 */
export async function withEmbedded(
  names: readonly string[],
  areNamed: boolean,
  work: (asServed: (loaded: Environment) => Environment) => Promise<void>,
): Promise<void> {
  const embedded = names.includes(EMBEDDED) && attempt(() => loadEnvironment(EMBEDDED));
  // If the embedded environment can't be loaded, `work` reports its problems together with those of the other environments.
  if (!embedded || embedded instanceof ConfigurationError) return work((loaded) => loaded);
  const workAt = (at: Environment) => work((loaded) => whereStarted(loaded, at));
  try {
    await withService(embedded, workAt, { mayMove: !areNamed });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'PortTaken' && areNamed)) throw error;
    process.stdout.write(`The ports of ${EMBEDDED} are in use already: using the service that listens there.\n`);
    await workAt(embedded);
  }
}
