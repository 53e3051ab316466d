/** The promise of an expectation. It reports when something first awaits it, because an expectation that nobody awaits proves nothing. */
export class Judgement<T> extends Promise<T> {
  #onAwaited: (() => void) | undefined;

  /** `then` returns a plain promise, because the code that calls `then` has already awaited the expectation. */
  static override get [Symbol.species]() {
    return Promise;
  }

  static of<T>(pending: Promise<T>, onAwaited: () => void): Judgement<T> {
    const judgement = new Judgement<T>((resolve) => resolve(pending));
    // The ledger reports an expectation that nobody awaits; an unhandled rejection would hide that report.
    judgement.catch(() => {});
    judgement.#onAwaited = onAwaited;
    return judgement;
  }

  // `await`, `catch`, `finally` and `Promise.all` call `then`, too.
  // biome-ignore lint/suspicious/noThenProperty: a promise has it
  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#onAwaited?.();
    this.#onAwaited = undefined;
    return super.then(fulfilled, rejected);
  }
}
