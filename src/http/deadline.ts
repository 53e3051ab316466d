/**
 * A signal that is aborted with `outer`, or, as a TimeoutError, after `ms`. `end` must be called when the work is done. When this
 * process stood still (a busy or paused machine), it gives that time back, at most `ms`, and reads what arrived meanwhile: that is no
 * silence of the other side.
 */
export class Deadline {
  /** Whether the limit, not the outer signal, has stopped it. */
  reached = false;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;
  #isLifted = false;
  readonly #forgetOuter: () => void;

  constructor(ms: number, outer?: AbortSignal) {
    const dueAt = performance.now() + ms;
    this.#timer = setTimeout(() => {
      // A timer may also be early, by less than a millisecond.
      const lateMs = Math.max(0, performance.now() - dueAt);
      // An immediate runs after a poll, a second timer perhaps before one.
      this.#timer = setTimeout(() => setImmediate(() => this.#reach()), Math.min(lateMs, ms));
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
    this.#isLifted = true;
    clearTimeout(this.#timer);
  }

  end(): void {
    this.lift();
    this.#forgetOuter();
  }

  #reach(): void {
    if (this.#isLifted) return;
    this.reached = !this.signal.aborted;
    this.#controller.abort(new DOMException('the time is up', 'TimeoutError'));
  }
}
