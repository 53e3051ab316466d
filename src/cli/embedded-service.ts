import { type Environment, isEmbedded } from '../config/index.ts';
import { portsOf } from './ports-of.ts';

/** Runs `work`; for the embedded environment, starts the reference service before and stops it afterwards. */
export async function withService<T>(environment: Environment, work: () => Promise<T>): Promise<T> {
  if (!isEmbedded(environment)) return work();
  // Loaded only here: other environments don't need the reference service.
  const { whileServing } = await import('../../reference-service/index.ts');
  return whileServing({ port: portsOf(environment) }, work);
}
