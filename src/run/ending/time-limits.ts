import type { DuringCall } from '../../call/index.ts';

export interface OwnTimeLimit {
  /** Aborts when a limit is used up, or when the outer signal aborts. */
  readonly signal: AbortSignal;
  /** The limit that was used up. `undefined` if none was used up. */
  readonly reached: string | undefined;
  /** Runs a call. The time that the call takes doesn't count towards the limit. */
  readonly during: DuringCall;
  /** Stops the timer. Must be called when the scenario has ended. */
  readonly end: () => void;
}

/**
 * Limits the time that a scenario spends outside of its calls. Calls have their own deadlines, so a slow service never uses up this limit.
 * A scenario that makes more than `mostCalls` calls is stopped as well.
 */
export function ownTimeLimit(ms: number, mostCalls: number, outer?: AbortSignal): OwnTimeLimit {
  const controller = new AbortController();
  let reached: string | undefined;
  let [left, calls, underWay, since, hasEnded] = [ms, 0, 0, performance.now(), false];
  const fire = (usedUp: string) => {
    if (controller.signal.aborted) return;
    reached = usedUp;
    controller.abort();
  };
  const abort = () => controller.abort(outer?.reason);
  // The timer runs on during calls, because most scenarios end long before it fires, and stopping it for each call would cost more than a timer
  // that fires too early. During a call, the end of the call looks after the time that is left.
  const due = () => {
    timer = undefined;
    if (underWay > 0 || hasEnded) return;
    const leftMs = left - (performance.now() - since);
    if (leftMs > 0) timer = setTimeout(due, Math.ceil(leftMs));
    else fire(`${ms} ms, its calls apart`);
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(due, ms);
  if (outer?.aborted) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get reached() {
      return reached;
    },
    during: async (work) => {
      if (++calls > mostCalls) fire(`${mostCalls} calls`);
      if (underWay++ === 0) left -= performance.now() - since;
      try {
        return await work();
      } finally {
        if (--underWay === 0) {
          since = performance.now();
          // If the spec doesn't await a call, the call may end after the scenario. Then `due` starts no timer: it would keep the process alive.
          if (timer === undefined && !controller.signal.aborted) due();
        }
      }
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** Shares of a run's deadline that are reserved for clean-up, and for the command's output after clean-up. */
const CLEAN_UP = 0.2;
const OUTPUT = 0.04;
/** Maximum time reserved for output, in ms. */
const MOST_OUTPUT_MS = 1_000;

/** The times at which scenarios (`stopMs`) and clean-up (`endMs`) must stop, in ms after the start of the run. */
export function stopsOf(deadlineMs: number): { readonly stopMs: number; readonly endMs: number } {
  return {
    stopMs: deadlineMs * (1 - CLEAN_UP),
    endMs: deadlineMs - Math.min(MOST_OUTPUT_MS, Math.max(100, deadlineMs * OUTPUT)),
  };
}

/**
 * The abort reason of a run's signal when the run's time is up. Scenarios that have not ended by then are skipped, because a lack of time
 * says nothing about the service.
 */
export class NoTimeLeft extends Error {
  override readonly name = 'NoTimeLeft';
  override readonly message = 'no time left';
}

/** Whether the signal was aborted because the run's time is up, rather than by its user. */
export function isOutOfTime(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof NoTimeLeft;
}

/** How far a scenario got if the run's time was up before it had a verdict. */
export type Unreached = 'not started' | 'cut short';

export function outOfTime(unreached: Unreached) {
  return { verdict: 'skipped', reason: new NoTimeLeft().message, unreached } as const;
}
