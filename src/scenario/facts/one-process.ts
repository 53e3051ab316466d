import { hash } from 'node:crypto';
import { join } from 'node:path';
import { FileTrouble } from '../../environment/files/index.ts';
import { takeLock } from '../../safety/index.ts';
import { isRunHere, runFolder } from '../run-files/run-log.ts';

/**
 * Does `work` while no other process of the run does the same for an environment. If no lock file can be written, it doesn't wait for other
 * processes.
 */
export async function inOneProcess<T>(runId: string, environment: string, work: () => Promise<T>): Promise<T> {
  if (isRunHere(runId)) return work();
  const path = join(runFolder(runId), `asking-${hash('sha256', environment).slice(0, 24)}.lock`);
  const release = await takeLock(path).catch((error: unknown) => {
    if (error instanceof FileTrouble) return undefined;
    throw error;
  });
  try {
    return await work();
  } finally {
    release?.();
  }
}
