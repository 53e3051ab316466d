import { randomBytes } from 'node:crypto';

/** An event for open pages. */
export interface PageEvent {
  readonly name: 'flip' | 'incident' | 'figures';
  /** A later event of the same key makes this one obsolete. */
  readonly key: string;
  readonly data: object;
  /** For these readers only; absent: for all. */
  readonly seen?: 'all' | 'public';
}

export interface LoggedEvent extends PageEvent {
  readonly id: number;
}

/** With a few hundred bytes each, this is some MB at most. */
const MOST = 10_000;

/**
 * The events that bring a page up to date, whichever it saw last: of each key only the latest, so that the log stays as small as the
 * board. Ids hold for one process; a page of an earlier one has to be loaded anew.
 */
export class EventLog {
  readonly #process = randomBytes(3).toString('hex');
  readonly #byKey = new Map<string, LoggedEvent>();
  /** Events up to this one may be missing. */
  #floor = 0;
  #last = 0;

  /** The id of the last event, as a page keeps it. */
  get last(): string {
    return this.idOf(this.#last);
  }

  idOf(id: number): string {
    return `${this.#process}-${id}`;
  }

  add(event: PageEvent): LoggedEvent {
    const logged = { ...event, id: ++this.#last };
    this.#byKey.delete(event.key);
    this.#byKey.set(event.key, logged);
    if (this.#byKey.size > MOST) this.#forget();
    return logged;
  }

  /** The events after `id`, in order; `undefined` if they are not all known. */
  since(id: string): LoggedEvent[] | undefined {
    const [, process, number] = /^([0-9a-f]+)-(\d+)$/.exec(id) ?? [];
    const after = Number(number);
    if (process !== this.#process || after < this.#floor) return undefined;
    return [...this.#byKey.values()].filter((event) => event.id > after);
  }

  #forget(): void {
    const [oldest] = this.#byKey.values();
    if (!oldest) return;
    this.#floor = oldest.id;
    this.#byKey.delete(oldest.key);
  }
}
