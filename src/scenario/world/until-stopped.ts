import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Grace period for stopped work to end by itself, in ms. */
const GRACE_MS = 100;

/** The result of `work`; or `Stopped`, soon after `signal` is aborted, if the work ignores it. Abandoned work continues unobserved. */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const fired = signal.aborted ? Promise.resolve() : once(signal, 'abort');
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
