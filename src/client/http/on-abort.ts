const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when a signal is aborted; returns what makes it forget that. Every call of a scenario listens to the same signal, and
 * adding a listener to an `EventTarget` and removing it takes longer than all else that a limit does: there is one for all of them.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', () => {
    for (const listener of [...listeners]) listener();
  });
  return listeners;
}
