import { type PageResponse, SharedBody, turn } from '../../serving/index.ts';

/** In ms. What changed meanwhile comes as events: a page names the last one that it holds. */
const KEEP_MS = 1_000;

/** Each filter is a page; 100 kB each at most. */
const MOST = 16;

type Drawn = Pick<PageResponse, 'headers'> & { readonly body: readonly string[] };

interface Kept {
  readonly at: number;
  readonly edition: number;
  readonly page: PageResponse;
}

/** Pages that all readers share: drawn, searched for secrets and compressed once, however many ask, until a second has passed or a state changed. */
export class RecentPages {
  readonly #edition: () => number;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  /** `edition` is another one after each change of a state; `now`: in ms, from any start. */
  constructor(edition: () => number, now: () => number = () => performance.now()) {
    this.#edition = edition;
    this.#now = now;
  }

  /** The page of that name. `isLatest`: the reader asks for one that is drawn now, because it has missed events. */
  async take(name: string, isLatest: boolean, draw: () => Drawn): Promise<PageResponse> {
    const known = this.#find(name);
    if (known && !isLatest) return known;
    await turn();
    // Somebody who asked at the same time may have drawn it meanwhile.
    return (!isLatest && this.#find(name)) || this.#keep(name, draw());
  }

  #find(name: string): PageResponse | undefined {
    const [now, edition] = [this.#now(), this.#edition()];
    for (const [other, kept] of this.#kept)
      if (now - kept.at >= KEEP_MS || kept.edition !== edition) this.#kept.delete(other);
    return this.#kept.get(name)?.page;
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
