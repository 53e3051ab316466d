import type { Ports } from '../../../reference-service/index.ts';
import { PortTaken } from '../../../reference-service/port-taken.ts';
import { atService, EMBEDDED, type Environment, isEmbedded } from '../../config/index.ts';
import { areaIds, firstArea } from '../../spec/index.ts';

/**
 * Runs `work` with the environment; for the embedded one, starts the reference service before and stops it afterwards. If its
 * ports are in use it listens on others, if it may, which is said on stderr, and `work` gets the environment with those.
 * @throws PortTaken
 */
export async function withService<T>(
  environment: Environment,
  work: (at: Environment) => Promise<T>,
  { mayMove = true }: { readonly mayMove?: boolean } = {},
): Promise<T> {
  if (!isEmbedded(environment)) return work(environment);
  // Loaded only here: other environments don't need the reference service.
  const { startService } = await import('../../../reference-service/index.ts');
  const service = await startService({ port: portsOf(environment), mayMove });
  try {
    if (new URL(service.addresses[firstArea]).port === environment.addresses[firstArea].port)
      return await work(environment);
    const moved = atService(environment, service);
    const [wanted, taken] = [environment, moved].map((each) => range(portsOf(each)));
    process.stderr.write(`Ports ${wanted} are in use, so the embedded service listens on ${taken}.\n`);
    return await work(moved);
  } finally {
    await service.stop();
  }
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

/** `loaded` with the addresses where its service was started, if it is the embedded environment. */
export function whereEmbedded(loaded: Environment, started: readonly Environment[]): Environment {
  const embedded = started.find(({ name }) => name === EMBEDDED);
  if (!embedded || loaded.name !== EMBEDDED) return loaded;
  const { addresses, provisionUrl } = embedded;
  return { ...loaded, addresses, ...(loaded.provisionUrl && provisionUrl ? { provisionUrl } : {}) };
}

/** Runs `work` with the embedded service if it is among the environments; a named one that already runs is used unchanged. */
export async function withServices(
  environments: readonly Environment[],
  areNamed: boolean,
  work: (at: readonly Environment[]) => Promise<void>,
): Promise<void> {
  const embedded = environments.find(({ name }) => name === EMBEDDED);
  if (!embedded) return work(environments);
  const workAt = (at: Environment) => work(environments.map((each) => (each === embedded ? at : each)));
  try {
    await withService(embedded, workAt, { mayMove: !areNamed });
  } catch (error) {
    if (!(error instanceof PortTaken) || !areNamed) throw error;
    process.stdout.write(`The ports of ${EMBEDDED} are in use already: using the service that listens there.\n`);
    await work(environments);
  }
}
