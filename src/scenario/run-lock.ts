import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '../config/index.ts';
import { takeLock } from './journal/file-lock.ts';
import { outputFolder, stateFolder } from './output-folders.ts';

export interface RunLockOptions {
  /** Gives up waiting. */
  readonly signal?: AbortSignal;
  /** One line for the user, when this run has to wait for another one. */
  readonly say: (line: string) => void;
}

/**
 * Keeps runs on this machine that act as the same users apart: one would see the other's blocks and loves as faults of the
 * service. Waits for the other run; gives what lets the next one begin. With a provisioner every run has users for itself.
 * Runs that share no state folder, such as those on two machines, don't see each other's lock.
 */
export async function takeRunLock(environment: Environment, { signal, say }: RunLockOptions): Promise<() => void> {
  if (environment.provisionUrl) return () => {};
  return takeLock(join(stateFolder(), 'run-locks', `${usersOf(environment)}.lock`), {
    signal,
    onWait: ({ pid }) =>
      say(
        `${environment.name}: waiting for another run (process ${pid}), which acts as the same users. A PROVISION_URL would give each run its own.`,
      ),
  });
}

/** Keeps two runs that write into the same folder apart. */
export function takeOutputLock({ signal, say }: RunLockOptions): Promise<() => void> {
  const folder = outputFolder();
  return takeLock(join(folder, 'run.lock'), {
    signal,
    onWait: ({ pid }) =>
      say(
        `Waiting for another run (process ${pid}), which writes into ${folder}. SEXTANT_OUTPUT names another folder.`,
      ),
  });
}

/** The same for two environments that name the same users of the same service. */
function usersOf({ addresses, caller, friend }: Environment): string {
  const users = [addresses.friends.href, caller.clientId, caller.userId, friend.userId];
  return createHash('sha256').update(JSON.stringify(users)).digest('hex').slice(0, 24);
}
