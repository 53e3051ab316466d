import type { AreaId } from '../../../spec/index.ts';

interface Waiting {
  readonly areas: readonly AreaId[];
  readonly begin: () => void;
}

/** Turns of what works as the same users in this process: of an area one at a time, in the order of arrival. */
export class AreaTurns {
  readonly #held = new Set<AreaId>();
  readonly #waiting: Waiting[] = [];

  /** Returns a function that ends the turn. @throws AbortError */
  async enter(areas: readonly AreaId[], signal: AbortSignal | undefined): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own: Waiting = { areas, begin: resolve };
    const stop = () => {
      const at = this.#waiting.indexOf(own);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      reject(new DOMException('This operation was aborted', 'AbortError'));
      this.#look();
    };
    this.#waiting.push(own);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.#look();
    await promise.finally(() => signal?.removeEventListener('abort', stop));
    return () => {
      for (const area of areas) this.#held.delete(area);
      this.#look();
    };
  }

  /** Whoever needs several areas isn't overtaken by those that need one of them each. */
  #look(): void {
    const taken = new Set(this.#held);
    for (const each of [...this.#waiting]) {
      if (!each.areas.some((area) => taken.has(area))) {
        this.#waiting.splice(this.#waiting.indexOf(each), 1);
        for (const area of each.areas) this.#held.add(area);
        each.begin();
      }
      for (const area of each.areas) taken.add(area);
    }
  }
}
