/** What ends work before it is done. */
export type Stop = Pick<Deadline, 'isDue' | 'onDue' | 'signal'>;

/** A stop that is due with `outer`, or after `ms`. `end` must be called when the work is done. */
export class Deadline {
  isDue = false;
  /** Whether the limit, not the outer signal, has stopped it. */
  reached = false;
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetOuter: (() => void) | undefined;
  readonly #listeners: (() => void)[] = [];
  #controller: AbortController | undefined;

  constructor(ms: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => this.#stop(true), ms);
    if (outer?.aborted) this.#stop();
    else this.#forgetOuter = outer && onAbort(outer, () => this.#stop());
  }

  /** The same as a signal, for libraries; made when it is asked for, because it costs more than all the rest. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.isDue) this.#abort(this.#controller);
    }
    return this.#controller.signal;
  }

  /** Calls `listener` when the work must end, at once if it must already. */
  onDue(listener: () => void): void {
    if (this.isDue) listener();
    else this.#listeners.push(listener);
  }

  /** Removes the limit; the outer signal still counts. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#forgetOuter?.();
  }

  #stop(reached = false): void {
    if (this.isDue) return;
    this.reached = reached;
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
