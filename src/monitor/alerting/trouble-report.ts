/**
 * Reports a problem only once, until the problem is gone or another one appears. Without this, a problem that recurs several times a second
 * would hide all other output.
 */
export class TroubleReport {
  readonly #say: (line: string) => void;
  #current: string | undefined;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  get current(): string | undefined {
    return this.#current;
  }

  /** Runs `work`, and reports its error instead of throwing it. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.add(error);
    }
  }

  add(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== this.#current) this.#say(text);
    this.#current = text;
  }

  clear(): void {
    this.#current = undefined;
  }
}
