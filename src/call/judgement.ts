/** The promise of an expectation. It says when something first waits for it: an expectation that nothing waits for proves nothing. */
export class Judgement<T> extends Promise<T> {
  #onAwaited: (() => void) | undefined;

  /** What `then` returns is the caller's own promise. */
  static override get [Symbol.species]() {
    return Promise;
  }

  static of<T>(pending: Promise<T>, onAwaited: () => void): Judgement<T> {
    const judgement = new Judgement<T>((resolve) => resolve(pending));
    // Whoever doesn't wait for it is told so, and not that it was rejected.
    judgement.catch(() => {});
    judgement.#onAwaited = onAwaited;
    return judgement;
  }

  // `await`, `catch`, `finally` and `Promise.all` call it too.
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
