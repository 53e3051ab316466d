/** A signal with a time limit. */
export interface Deadline {
  /** Aborted at the limit, or with the outer signal. */
  readonly signal: AbortSignal;
  /** Whether the limit, not the outer signal, aborted it. */
  readonly reached: boolean;
  /** Removes the limit; the outer signal still counts. */
  lift(): void;
  /** Must be called when the work is done. */
  end(): void;
}

/** A signal that aborts with `outer`, or after `ms`. */
export function deadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let reached = false;
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => {
    if (controller.signal.aborted) return;
    reached = true;
    controller.abort();
  }, ms);
  if (outer?.aborted) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get reached() {
      return reached;
    },
    lift: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
