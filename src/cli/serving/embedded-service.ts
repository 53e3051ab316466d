import type { Ports } from '../../../reference-service/index.ts';
import { atService, type Environment, isEmbedded } from '../../config/index.ts';
import { firstArea } from '../../spec/index.ts';
import { portsOf } from './ports-of.ts';

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
    process.stderr.write(`${movedText(portsOf(environment), portsOf(moved))}\n`);
    return await work(moved);
  } finally {
    await service.stop();
  }
}

/** Where an embedded service listens whose ports were in use. */
export function movedText(wanted: Ports, taken: Ports): string {
  return `Ports ${range(wanted)} are in use, so the embedded service listens on ${range(taken)}.`;
}

function range(ports: Ports): string {
  const all = Object.values(ports).filter((port) => port > 0);
  return `${Math.min(...all)}–${Math.max(...all)}`;
}
