/** The monitor's time; tests pass a fake. */
export interface Clock {
  /** Wall-clock time; epoch, in ms. It may jump. */
  wall(): number;
  /** Monotonic, in ms. */
  mono(): number;
  /** Calls `work` after `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  mono: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; returns early when `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const onAbort = () => {
      cancel();
      resolve();
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
