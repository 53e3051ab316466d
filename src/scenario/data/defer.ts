/** Clean-up, declared by a scenario on the line after the change. */
export class Deferred {
  readonly #tasks: (() => unknown)[] = [];

  readonly defer = (task: () => unknown): void => {
    this.#tasks.push(task);
  };

  /** Runs every task, last declared first, even if others fail; returns their errors. */
  async run(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) {
      try {
        await task();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}
