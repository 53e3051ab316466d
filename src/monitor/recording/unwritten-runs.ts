import type { ScenarioRef } from '../status/flip.ts';

/** Planned runs that left no result: the run before was under way, or there was nothing to write it down in. */
export interface DroppedRuns {
  readonly skipped: number;
  readonly missed: number;
}

type WriteCounts = (ref: ScenarioRef, counts: DroppedRuns) => void;

/** Runs that could not be written down (a full disk), counted in memory until the history can count them as missed. */
export class UnwrittenRuns {
  readonly #byScenario = new Map<string, { readonly ref: ScenarioRef; counts: DroppedRuns }>();
  readonly #write: WriteCounts;
  #runs = 0;

  /** `write` writes counts into the history, or throws. */
  constructor(write: WriteCounts) {
    this.#write = write;
  }

  /** Runs whose results are lost; and how many runs the history doesn't even count yet. */
  get lost(): { readonly runs: number; readonly uncounted: number } {
    const counts = [...this.#byScenario.values()].map((each) => each.counts.skipped + each.counts.missed);
    return { runs: this.#runs, uncounted: counts.reduce((sum, count) => sum + count, 0) };
  }

  /** Writes the result of a run down; throws what `write` throws, and then knows of it. */
  record<T>(ref: ScenarioRef, write: () => T): T {
    try {
      return write();
    } catch (error) {
      this.#runs++;
      this.#add(ref, { skipped: 0, missed: 1 });
      throw error;
    }
  }

  /** Writes counts down, those that could not be written earlier included; throws what writing throws, and keeps the rest. */
  count(ref: ScenarioRef, counts: DroppedRuns): void {
    this.#add(ref, counts);
    this.flush();
  }

  flush(): void {
    for (const [key, { ref, counts }] of this.#byScenario) {
      this.#write(ref, counts);
      this.#byScenario.delete(key);
    }
  }

  #add(ref: ScenarioRef, { skipped, missed }: DroppedRuns): void {
    const key = `${ref.environment}\n${ref.title}`;
    const before = this.#byScenario.get(key)?.counts ?? { skipped: 0, missed: 0 };
    this.#byScenario.set(key, { ref, counts: { skipped: before.skipped + skipped, missed: before.missed + missed } });
  }
}

/** Reports a problem with the history once, until it works again or another problem appears. */
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
