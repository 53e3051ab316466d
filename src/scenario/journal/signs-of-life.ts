import { utimesSync } from 'node:fs';
import { SIGN_MS } from './owner.ts';

/** Renews a file's time while its process lives, for readers on machines that can't see the process. */
export function signsOfLife(path: string): { end(): void } {
  const timer = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // Somebody took the file away; an error in a timer would end the process.
    }
  }, SIGN_MS / 4).unref();
  return { end: () => clearInterval(timer) };
}
