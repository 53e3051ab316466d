/** What ends work before it is done. */
export interface Stop {
  readonly isDue: boolean;
  /** Calls `listener` when the work must end, at once if it must already. */
  onDue(listener: () => void): void;
  /** The same as a signal, for libraries; made when it is asked for, because it costs more than all the rest. */
  readonly signal: AbortSignal;
}

export interface Deadline extends Stop {
  /** Whether the limit, not the outer signal, has stopped it. */
  readonly reached: boolean;
  /** Removes the limit; the outer signal still counts. */
  lift(): void;
  /** Must be called when the work is done. */
  end(): void;
}

/** A stop that is due with `outer`, or after `ms`. */
export function deadline(ms: number, outer?: AbortSignal): Deadline {
  return new TimeLimit(ms, outer);
}

class TimeLimit implements Deadline {
  isDue = false;
  reached = false;
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetOuter: (() => void) | undefined;
  readonly #listeners: (() => void)[] = [];
  #controller: AbortController | undefined;

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.#outer = outer;
    this.#timer = setTimeout(() => this.#reach(), ms);
    if (outer?.aborted) this.#stop();
    else this.#forgetOuter = outer && onAbort(outer, () => this.#stop());
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.isDue) this.#abort(this.#controller);
    }
    return this.#controller.signal;
  }

  onDue(listener: () => void): void {
    if (this.isDue) listener();
    else this.#listeners.push(listener);
  }

  lift(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#forgetOuter?.();
  }

  #reach(): void {
    if (this.isDue) return;
    this.reached = true;
    this.#stop();
  }

  #stop(): void {
    if (this.isDue) return;
    this.isDue = true;
    if (this.#controller) this.#abort(this.#controller);
    for (const listener of this.#listeners) listener();
  }

  #abort(controller: AbortController): void {
    controller.abort(this.reached ? undefined : this.#outer?.reason);
  }
}

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when a signal is aborted; returns what makes it forget that. Every call of a scenario listens to the same signal, and
 * adding a listener to an `EventTarget` and removing it takes longer than all else that a limit does: there is one for all of them.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', () => {
    for (const listener of [...listeners]) listener();
  });
  return listeners;
}
