/** Works share a turn of the event loop for as long, in ms: each turn may wait for the disk. */
const SHARED_MS = 5;

const waiting: (() => void)[] = [];
let isDraining = false;

/**
 * Waits for a turn of the event loop that is not used up by other works: ten pages at once keep everything else waiting no longer than
 * one. Turns are given in the order in which they were asked for.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isDraining) return;
    isDraining = true;
    setImmediate(drain);
  });
}

async function drain(): Promise<void> {
  const end = performance.now() + SHARED_MS;
  do {
    waiting.shift()?.();
    // What waited goes on now, up to its next pause.
    await undefined;
  } while (waiting.length > 0 && performance.now() < end);
  isDraining = waiting.length > 0;
  if (isDraining) setImmediate(drain);
}
