/** The monitor's time; tests pass a fake. */
export interface Clock {
  /** Wall-clock time; epoch, in ms. It may jump. */
  wall(): number;
  /** Monotonic, in ms. */
  mono(): number;
  /** Like an epoch, in ms, but by the monotonic clock: it can't be set, and a later process goes on about where this one ended. */
  steady(): number;
  /** Calls `work` after `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  mono: () => performance.now(),
  steady: () => performance.timeOrigin + performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Repeats work until what it returns is called; each wait begins when the previous one ends. */
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

const DAY_MS = 86_400_000;
/** Maximum drift between a machine's clocks per day. */
const DRIFT_MS = 3_600_000;

/**
 * Tells before each pruning whether the calendar can be trusted with deleting what is old. A calendar that was set years ahead, by an empty
 * battery or by mistake, would cost the whole history; one that stays there for a day is believed. `newest` is when the last run began that
 * was written down, an epoch in ms.
 */
export function pruneGuard(clock: Clock): (newest: number | undefined) => boolean {
  let last: { readonly wall: number; readonly mono: number } | undefined;
  return (newest) => {
    const [wall, mono] = [clock.wall(), clock.mono()];
    const before = last;
    last = { wall, mono };
    if (before) return Math.abs(wall - before.wall - (mono - before.mono)) <= DRIFT_MS;
    // At a start, only the history shows the earlier time.
    return newest === undefined || (wall - newest < 7 * DAY_MS && newest - wall < DRIFT_MS);
  };
}
