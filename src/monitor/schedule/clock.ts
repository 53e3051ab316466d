/** The monitor's clock; tests pass a fake one. */
export interface Clock {
  /** Wall-clock time; epoch, in ms. It jumps when somebody sets the clock. */
  wall(): number;
  /**
   * Monotonic time, in ms: nobody can set it. It starts near the epoch time, so that a time of one process can be compared with a time of
   * another.
   */
  steady(): number;
  /** Calls `work` after `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  steady: () => performance.timeOrigin + performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Calls `work` every `ms`, until somebody calls the returned function. The wait for the next call already runs while `work` runs. */
export function repeat(clock: Clock, ms: number, work: () => void): () => void {
  let cancel = () => {};
  const again = () => {
    cancel = clock.after(ms, () => {
      again();
      work();
    });
  };
  again();
  return () => cancel();
}
