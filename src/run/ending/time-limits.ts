import type { DuringCall } from '../../call/index.ts';

export interface OwnTimeLimit {
  /** Aborted at the limit, or with the outer signal. */
  readonly signal: AbortSignal;
  /** The limit that was used up; `undefined` if none was. */
  readonly reached: string | undefined;
  /** Runs work whose time doesn't count. */
  readonly during: DuringCall;
  /** Must be called when the work is done. */
  readonly end: () => void;
}

/**
 * Limits the time that a scenario spends outside of its calls. Calls have their own deadlines, so a slow service never uses up this limit. A scenario
 * that never stops calling is ended after `mostCalls`.
 */
export function ownTimeLimit(ms: number, mostCalls: number, outer?: AbortSignal): OwnTimeLimit {
  const controller = new AbortController();
  let reached: string | undefined;
  let [left, calls, underWay, since, hasEnded] = [ms, 0, 0, 0, false];
  let timer: NodeJS.Timeout | undefined;
  const fire = (usedUp: string) => {
    if (controller.signal.aborted) return;
    reached = usedUp;
    controller.abort();
  };
  const abort = () => controller.abort(outer?.reason);
  const run = () => {
    since = performance.now();
    timer = setTimeout(() => fire(`${ms} ms, its calls apart`), left);
  };
  run();
  if (outer?.aborted) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get reached() {
      return reached;
    },
    during: async (work) => {
      if (++calls > mostCalls) fire(`${mostCalls} calls`);
      if (underWay++ === 0) {
        clearTimeout(timer);
        left -= performance.now() - since;
      }
      try {
        return await work();
      } finally {
        // A call that the spec doesn't await may end after the scenario. The timer must not start again then, because it would keep the process
        // alive.
        if (--underWay === 0 && !controller.signal.aborted && !hasEnded) run();
      }
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** Parts of the deadline that are kept for clean-up, and for the command's output after clean-up. */
const CLEAN_UP = 0.2;
const OUTPUT = 0.04;
/** Maximum time for output, in ms. */
const MOST_OUTPUT_MS = 1_000;

/** When scenarios and clean-up must stop, in ms after the start. */
export function stopsOf(deadlineMs: number): { readonly stopMs: number; readonly endMs: number } {
  return {
    stopMs: deadlineMs * (1 - CLEAN_UP),
    endMs: deadlineMs - Math.min(MOST_OUTPUT_MS, Math.max(100, deadlineMs * OUTPUT)),
  };
}

/**
 * The reason with which a run's signal is aborted when its time is up. Scenarios that have not ended by then are skipped, and say nothing about the
 * service.
 */
export class NoTimeLeft extends Error {
  override readonly name = 'NoTimeLeft';
  override readonly message = 'no time left';
}

/** Whether a run's signal was aborted because its time is up, and not by its user. */
export function isOutOfTime(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof NoTimeLeft;
}

/** How far a scenario got if the run's time was up before it had a verdict. */
export type Unreached = 'not started' | 'cut short';

export function outOfTime(unreached: Unreached) {
  return { verdict: 'skipped', reason: new NoTimeLeft().message, unreached } as const;
}
