/** The monitor's clock; tests pass a fake one. */
export interface Clock {
  /** Wall-clock time; epoch, in ms. It may jump. */
  wall(): number;
  /** Like an epoch, in ms, but monotonic: nobody can set it, and the next process continues near where this one ended. */
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

/** Repeats `work` until the returned function is called. Each wait begins when the previous one ends, before `work`. */
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
