/** A signal with a time limit of its own. */
export interface Deadline {
  /** Fires at the limit, or at once when the outer signal does. */
  readonly signal: AbortSignal;
  /** Whether the limit, not the outer signal, fired it. */
  readonly reached: boolean;
  /** Takes the limit away; the outer signal still counts. */
  lift(): void;
  /** Must be called when the work is over. */
  end(): void;
}

/** `outer`, and `ms` from now at the latest. */
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
