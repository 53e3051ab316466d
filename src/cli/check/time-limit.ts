import { NoTimeLeft } from '../../runner/index.ts';

/** The signals of a check with a deadline. */
export interface TimeLimit {
  /** Aborted with `NoTimeLeft` when scenarios must stop, or by the user. */
  readonly stop: AbortSignal;
  /** Aborted when clean-up must stop too; absent without a deadline. */
  readonly end?: AbortSignal;
}

/** Parts of the deadline that are kept for clean-up, and for what a command does after it. */
const CLEAN_UP = 0.2;
const OUTPUT = 0.04;
/** Output never takes longer, in ms. */
const MOST_OUTPUT_MS = 1_000;

/** When scenarios and clean-up must stop, in ms after the start. */
export function stopsOf(deadlineMs: number): { readonly stopMs: number; readonly endMs: number } {
  return {
    stopMs: deadlineMs * (1 - CLEAN_UP),
    endMs: deadlineMs - Math.min(MOST_OUTPUT_MS, Math.max(100, deadlineMs * OUTPUT)),
  };
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
