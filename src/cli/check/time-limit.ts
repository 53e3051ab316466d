import { NoTimeLeft, stopsOf } from '../../runner/index.ts';

/** The signals of a check with a deadline. */
export interface TimeLimit {
  /** Aborted with `NoTimeLeft` when scenarios must stop, or by the user. */
  readonly stop: AbortSignal;
  /** Aborted when clean-up must stop too; absent without a deadline. */
  readonly end?: AbortSignal;
}

/** The limit of a check that began `elapsedMs` ago; `interrupted` is the user's stop. */
export function timeLimit(deadlineMs: number | undefined, elapsedMs: number, interrupted: AbortSignal): TimeLimit {
  if (deadlineMs === undefined) return { stop: interrupted };
  const { stopMs, endMs } = stopsOf(deadlineMs);
  const stop = new AbortController();
  const end = new AbortController();
  after(stopMs - elapsedMs, () => stop.abort(new NoTimeLeft()));
  after(endMs - elapsedMs, () => end.abort(new NoTimeLeft()));
  interrupted.addEventListener('abort', () => stop.abort(interrupted.reason), { once: true });
  if (interrupted.aborted) stop.abort(interrupted.reason);
  return { stop: stop.signal, end: end.signal };
}

/** A check that ends before isn't kept alive. */
function after(ms: number, work: () => void): void {
  setTimeout(work, Math.max(0, ms)).unref();
}
