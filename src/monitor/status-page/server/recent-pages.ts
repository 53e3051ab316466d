import { setImmediate as othersTurn } from 'node:timers/promises';
import { type PageResponse, SharedBody } from '../../../serving/index.ts';

/** In ms. Where a state changed, a page is drawn anew at once, but no more often than that: in an outage, something changes all the time. */
const KEEP_MS = 1_000;
const LEAST_MS = 250;

/** Each filter is a page; 200 kB each at most. */
const MOST = 16;

interface Kept {
  readonly at: number;
  readonly edition: string;
  readonly page: Promise<PageResponse | undefined>;
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

  /** The page of that name; `undefined`: there is none. */
  take(
    name: string,
    type: string,
    draw: () => string | undefined | Promise<string | undefined>,
  ): Promise<PageResponse | undefined> {
    const [now, edition] = [this.#now(), this.#edition()];
    for (const [other, kept] of this.#kept)
      if (now - kept.at >= (kept.edition === edition ? KEEP_MS : LEAST_MS)) this.#kept.delete(other);
    const known = this.#kept.get(name);
    if (known) return known.page;
    const page = drawn(type, draw);
    page.catch(() => this.#kept.delete(name));
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST) this.#kept.delete(oldest);
    this.#kept.set(name, { at: now, edition, page });
    return page;
  }
}

async function drawn(type: string, draw: Parameters<RecentPages['take']>[2]): Promise<PageResponse | undefined> {
  await othersTurn();
  const text = await draw();
  return text === undefined ? undefined : { headers: { 'content-type': type }, body: new SharedBody(text) };
}
