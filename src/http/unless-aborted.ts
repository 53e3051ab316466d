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

/** For each signal on which somebody waits: what its abort calls, and the one listener that does so. */
const waiting = new WeakMap<AbortSignal, { readonly all: Set<() => void>; readonly listener: () => void }>();

/**
 * Calls `stop` when `signal` is aborted, until the returned function is called. All waits share a listener, because Node compares each listener that
 * is added with all others, and thousands of runs wait on the signal of a monitor.
 */
function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const all = waiting.get(signal)?.all ?? new Set();
  const listener = waiting.get(signal)?.listener ?? (() => all.forEach((each) => void each()));
  if (all.size === 0) signal.addEventListener('abort', listener);
  waiting.set(signal, { all, listener });
  all.add(stop);
  return () => {
    all.delete(stop);
    if (all.size === 0) signal.removeEventListener('abort', listener);
  };
}

/** Returns the result of `work`. If `signal` is aborted first, throws an AbortError after `graceMs`, and the abandoned work continues unobserved. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, graceMs = 0): Promise<T> {
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new DOMException('stopped before it ended', 'AbortError'));
  const stop = () => void (graceMs > 0 ? setTimeout(giveUp, graceMs) : giveUp());
  if (signal.aborted) stop();
  return Promise.race([work, aborted]).finally(onAbort(signal, stop));
}
