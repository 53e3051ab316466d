import { type Environment, isEmbedded } from '../config/index.ts';
import { portsOf } from './ports-of.ts';

/** Runs `work` with the reference service up, where the environment is the embedded one; it is stopped afterwards. */
export async function withService<T>(environment: Environment, work: () => Promise<T>): Promise<T> {
  if (!isEmbedded(environment)) return work();
  // Loaded only here: a check of somebody's environment needs no service of our own.
  const { whileServing } = await import('../../reference-service/index.ts');
  return whileServing({ port: portsOf(environment) }, work);
}
