import { EMBEDDED, type Environment } from '../config/index.ts';
import { portsOf } from './ports-of.ts';

/** Runs `work` with the reference service up, where the environment is the embedded one; it is stopped afterwards. */
export async function withService<T>(environment: Environment, work: () => Promise<T>): Promise<T> {
  if (environment.name !== EMBEDDED || !environment.isLoopback) return work();
  // Loaded only here: a check of somebody's environment needs no service of our own.
  const { startService } = await import('../../reference-service/index.ts');
  const service = await startService({ port: portsOf(environment) });
  try {
    return await work();
  } finally {
    await service.stop();
  }
}
