import { eventLoopTurn, type PageResponse, SharedBody } from '../../../serving/index.ts';

/** In ms. What changed meanwhile comes as events: a page names the last one that it holds. */
const KEEP_MS = 1_000;

/** An older one, up to this age in ms, is given to who asks, and drawn anew for the next: nobody waits for a page that others read. */
const OLDEST_MS = 3_000;

/** Each filter is a page; 100 kB each at most. */
const MOST = 16;

type Drawn = Pick<PageResponse, 'headers'> & { readonly body: readonly string[] };

interface Kept {
  readonly at: number;
  readonly edition: number;
  readonly page: PageResponse;
}

/** Pages that all readers share: drawn, searched for secrets and compressed once a second at most, however many ask, and when a state changed. */
export class RecentPages {
  readonly #edition: () => number;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #renewing = new Set<string>();

  /** `edition` is another one after each change of a state; `now`: in ms, from any start. */
  constructor(edition: () => number, now: () => number = () => performance.now()) {
    this.#edition = edition;
    this.#now = now;
  }

  /** The page of that name. `isLatest`: the reader asks for one that is drawn now, because it has missed events. */
  async take(name: string, isLatest: boolean, draw: () => Drawn): Promise<PageResponse> {
    const known = this.#find(name);
    if (known && !isLatest) {
      if (this.#now() - known.at >= KEEP_MS) void this.#renew(name, draw);
      return known.page;
    }
    await eventLoopTurn();
    // Somebody who asked at the same time may have drawn it meanwhile.
    return (!isLatest && this.#find(name)?.page) || this.#keep(name, draw());
  }

  async #renew(name: string, draw: () => Drawn): Promise<void> {
    if (this.#renewing.has(name)) return;
    this.#renewing.add(name);
    try {
      await eventLoopTurn();
      this.#keep(name, draw());
    } catch {
      // The next reader hears of it.
      this.#kept.delete(name);
    } finally {
      this.#renewing.delete(name);
    }
  }

  #find(name: string): Kept | undefined {
    const [now, edition] = [this.#now(), this.#edition()];
    for (const [other, kept] of this.#kept)
      if (now - kept.at >= OLDEST_MS || kept.edition !== edition) this.#kept.delete(other);
    return this.#kept.get(name);
  }

  #keep(name: string, { headers, body }: Drawn): PageResponse {
    const page = { headers, body: new SharedBody(body) };
    this.#kept.delete(name);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST) this.#kept.delete(oldest);
    this.#kept.set(name, { at: this.#now(), edition: this.#edition(), page });
    return page;
  }
}
