/** How long stopped work may take to end, in ms. */
export const GRACE_MS = 100;

/**
 * Returns the result of `work`. If `signal` stopped `work`, for example while it waited for another run, returns the result of `instead`.
 */
export function unlessStopped<T, I>(work: Promise<T>, signal: AbortSignal | undefined, instead: () => I) {
  return work.catch((error: Error) => {
    if (signal?.aborted && error.name === 'AbortError') return instead();
    throw error;
  });
}

/** Returns the result of `work`. If `signal` is aborted first, throws an AbortError after `graceMs`, and the abandoned work continues unobserved. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, graceMs = 0): Promise<T> {
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new DOMException('stopped before it ended', 'AbortError'));
  const stop = () => void (graceMs > 0 ? setTimeout(giveUp, graceMs) : giveUp());
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
