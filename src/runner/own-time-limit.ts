import type { DuringCall } from '../client/index.ts';

export interface OwnTimeLimit {
  /** Aborted at the limit, or with the outer signal. */
  readonly signal: AbortSignal;
  /** The limit that was used up; `undefined` if none was. */
  readonly reached: string | undefined;
  /** Runs work whose time doesn't count. */
  readonly during: DuringCall;
  /** Must be called when the work is done. */
  end(): void;
}

/**
 * A limit on a scenario's time outside of its calls, which have their own deadlines, so that a slow service never
 * uses it up. A scenario that never stops calling is ended after `mostCalls`.
 */
export function ownTimeLimit(ms: number, mostCalls: number, outer?: AbortSignal): OwnTimeLimit {
  const controller = new AbortController();
  let reached: string | undefined;
  let spent = 0;
  let calls = 0;
  let underWay = 0;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const fire = (usedUp: string) => {
    if (controller.signal.aborted) return;
    reached = usedUp;
    controller.abort();
  };
  const abort = () => controller.abort(outer?.reason);
  // A timer that is stopped and set anew around each call costs more than one that, once it fires, looks how much there is left.
  const check = () => {
    timer = undefined;
    if (underWay > 0) return;
    const left = ms - spent - (performance.now() - since);
    if (left > 0) timer = setTimeout(check, left);
    else fire(`${ms} ms, its calls apart`);
  };
  timer = setTimeout(check, ms);
  if (outer?.aborted) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get reached() {
      return reached;
    },
    during: async (work) => {
      if (++calls > mostCalls) fire(`${mostCalls} calls`);
      if (underWay++ === 0) spent += performance.now() - since;
      try {
        return await work();
      } finally {
        if (--underWay === 0) since = performance.now();
        // A call that is not awaited ends after all, and must not keep the process.
        if (underWay === 0 && timer === undefined && !controller.signal.aborted && !hasEnded) check();
      }
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
