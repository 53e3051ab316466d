import { setTimeout as wait } from 'node:timers/promises';

/** Work was given up because its signal fired. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** How long work that was told to stop may take to end by itself, in ms. */
const GRACE_MS = 100;

/**
 * What `work` gives; or `Stopped`, soon after `signal` fires, when the work doesn't heed it. Work that was given up
 * goes on unheard.
 */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise: fired, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  const givenUp = fired.then(async () => {
    await wait(GRACE_MS);
    throw new Stopped('stopped before it ended');
  });
  givenUp.catch(() => {});
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    work.catch(() => {});
  }
}
