import { eventLoopTurn, type PageResponse, SharedBody } from '../../../serving/index.ts';

/** In ms: figures that changed meanwhile may be missing, states never are. */
const KEEP_MS = 1_000;

/** Each filter is a page; 200 kB each at most. */
const MOST = 16;

interface Kept {
  readonly at: number;
  readonly edition: string;
  readonly page: PageResponse;
}

/** Pages that all readers share: drawn, searched for secrets and compressed once a second at most, however many ask, and when a state changed. */
export class RecentPages {
  readonly #edition: () => string;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  /** `edition` is another one after each change of a state; `now`: in ms, from any start. */
  constructor(edition: () => string, now: () => number = () => performance.now()) {
    this.#edition = edition;
    this.#now = now;
  }

  async take(name: string, type: string, draw: () => string): Promise<PageResponse> {
    const known = this.#find(name);
    if (known) return known;
    await eventLoopTurn();
    // Somebody who asked at the same time may have drawn it meanwhile.
    return this.#find(name) ?? this.#keep(name, { headers: { 'content-type': type }, body: new SharedBody(draw()) });
  }

  #find(name: string): PageResponse | undefined {
    const [now, edition] = [this.#now(), this.#edition()];
    for (const [other, kept] of this.#kept)
      if (now - kept.at >= KEEP_MS || kept.edition !== edition) this.#kept.delete(other);
    return this.#kept.get(name)?.page;
  }

  #keep(name: string, page: PageResponse): PageResponse {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST) this.#kept.delete(oldest);
    this.#kept.set(name, { at: this.#now(), edition: this.#edition(), page });
    return page;
  }
}
