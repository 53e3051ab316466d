/**
 * A signal that is aborted with `outer`, or after `ms` as a TimeoutError. The caller must call `end` when the work is done. If this process
 * stood still (a busy or paused machine), the deadline is extended by that time, by `ms` at most, and responses that arrived meanwhile are
 * read first: the other side didn't cause this delay.
 */
export class Deadline {
  /** True if the time limit, not the outer signal, aborted the signal. */
  reached = false;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;
  #isLifted = false;
  readonly #forgetOuter: () => void;

  constructor(ms: number, outer?: AbortSignal) {
    const dueAt = performance.now() + ms;
    this.#timer = setTimeout(() => {
      // At least 0, because a timer may fire up to a millisecond early.
      const lateMs = Math.max(0, performance.now() - dueAt);
      // `setImmediate` runs after the event loop has read pending data. A second timer alone might run before that.
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

  /** Removes the time limit. The outer signal still aborts this signal. */
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
