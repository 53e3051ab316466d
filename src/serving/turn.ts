import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other work of pages shares: ten pages at once keep everything else waiting no longer than one.
 * Turns are given in the order in which they were asked for.
 */
export function turn(): Promise<void> {
  const mine = last.then(() => setImmediate());
  last = mine;
  return mine;
}
