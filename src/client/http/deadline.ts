/** A signal that is aborted with `outer`, or after `ms`. `end` must be called when the work is done. */
export class Deadline {
  /** Whether the limit, not the outer signal, has stopped it. */
  reached = false;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #forgetOuter: () => void;

  constructor(ms: number, outer?: AbortSignal) {
    this.#timer = setTimeout(() => {
      this.reached = !this.signal.aborted;
      this.#controller.abort();
    }, ms);
    const follow = () => this.#controller.abort(outer?.reason);
    this.#forgetOuter = () => outer?.removeEventListener('abort', follow);
    if (outer?.aborted) follow();
    else outer?.addEventListener('abort', follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Removes the limit; the outer signal still counts. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.lift();
    this.#forgetOuter();
  }
}
