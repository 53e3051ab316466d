/** Upper bounds of the buckets, in seconds: from a fast call to a scenario of timeouts. */
export const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** Durations as Prometheus counts them. The metrics library is loaded with the first scrape, and must count what was before. */
export class DurationHistogram {
  /** Runs by the first bucket that holds them; the last is above every bound. */
  readonly #counts = new Uint32Array(durationBounds.length + 1);
  #sum = 0;

  observe(seconds: number): void {
    const found = durationBounds.findIndex((bound) => seconds <= bound);
    const bucket = found < 0 ? durationBounds.length : found;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Cumulative counts by upper bound, and the sum in seconds. */
  get state(): { readonly buckets: readonly (readonly [le: string, count: number])[]; readonly sum: number } {
    let total = 0;
    const buckets = [...this.#counts].map((count, index) => {
      total += count;
      return [String(durationBounds[index] ?? '+Inf'), total] as const;
    });
    return { buckets, sum: this.#sum };
  }
}
