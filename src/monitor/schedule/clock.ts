/** Time as the monitor sees it; tests bring their own. */
export interface Clock {
  /** The calendar's time; epoch, in ms. It may jump. */
  wall(): number;
  /** Only ever grows; in ms. */
  mono(): number;
  /** Calls `work` after `ms`; gives what takes it back. */
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

/** Waits; ends early when `signal` is aborted. */
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
