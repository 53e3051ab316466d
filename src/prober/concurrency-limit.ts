/** Limits the number of runs at the same time to `most`. Further runs wait, and start in the order in which they arrived. */
export function places(most: number) {
  let free = most;
  const waiting = new Set<PromiseWithResolvers<void>>();
  const leave = () => {
    const [next] = waiting;
    if (!next) return void free++;
    waiting.delete(next);
    next.resolve();
  };
  /**
   * Waits for a free place. Resolves to a function that frees the place; call it once. @throws the reason of `signal` if `signal` is
   * aborted first
   */
  return async (signal: AbortSignal): Promise<() => void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return leave;
    }
    const turn = Promise.withResolvers<void>();
    waiting.add(turn);
    const onAbort = () => waiting.delete(turn) && turn.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', onAbort));
    return leave;
  };
}
