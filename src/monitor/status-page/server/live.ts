import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { redact } from '../../../client/index.ts';

const ALIVE_MS = 15_000;
const MOST_LISTENERS = 300;
/** A client that doesn't read is dropped: its data would pile up in memory. */
const MOST_UNREAD_BYTES = 65_536;

export interface Listener {
  readonly seen: 'all' | 'public';
  /** Reads the page of this scenario; absent: the overview. */
  readonly scenario?: number;
  /** The id of the last event that the page holds. */
  readonly after?: string;
}

/** Sends open pages what changed, as server-sent events. */
export class Live {
  readonly #listeners = new Map<ServerResponse, Listener>();
  readonly #log = new EventLog();
  readonly #alive = setInterval(() => this.#sendAll(':\n\n'), ALIVE_MS);

  get isFull(): boolean {
    return this.#listeners.size >= MOST_LISTENERS;
  }

  /** The id of the last event: what a page that is made now holds. */
  get last(): string {
    return this.#log.last;
  }

  /** Starts a stream; it begins with what the page missed, or with `stale` where that isn't known. */
  add(response: ServerResponse, listener: Listener): void {
    const missed = listener.after === undefined ? [] : this.#log.since(listener.after);
    const events = missed?.filter((event) => isFor(event, listener)).map((event) => this.#textOf(event));
    // The page of one scenario holds more than its events do.
    const isStale = !events || (listener.scenario !== undefined && missed?.some((event) => isOf(event, listener)));
    response.write(`retry: 2000\n\n${isStale ? stale(this.last) : events.join('')}`);
    this.#listeners.set(response, listener);
    response.on('close', () => this.#listeners.delete(response));
  }

  publish(event: PageEvent): void {
    const logged = this.#log.add(event);
    const text = this.#textOf(logged);
    for (const [response, listener] of this.#listeners)
      if (isFor(logged, listener) || isOf(logged, listener)) send(response, text);
  }

  /** Whether the page of this scenario is open somewhere. */
  isWatched(scenario: number): boolean {
    return [...this.#listeners.values()].some((listener) => listener.scenario === scenario);
  }

  /** Sends a run to the open pages of its scenario. */
  ran(scenario: number, data: object): void {
    const text = `event: run\ndata: ${redact(JSON.stringify(data))}\n\n`;
    for (const [response, listener] of this.#listeners) if (listener.scenario === scenario) send(response, text);
  }

  stop(): void {
    clearInterval(this.#alive);
    for (const response of this.#listeners.keys()) response.end();
  }

  #textOf({ id, name, data }: LoggedEvent): string {
    return `id: ${this.#log.idOf(id)}\nevent: ${name}\ndata: ${redact(JSON.stringify(data))}\n\n`;
  }

  #sendAll(text: string): void {
    for (const response of this.#listeners.keys()) send(response, text);
  }
}

/** What the overview and the list of incidents are made of. */
function isFor(event: LoggedEvent, { seen, scenario }: Listener): boolean {
  return scenario === undefined && (event.seen ?? seen) === seen;
}

/** A change of the scenario whose page is open. */
function isOf({ name, key }: LoggedEvent, { scenario }: Listener): boolean {
  return name === 'flip' && key === `flip ${scenario}`;
}

function stale(id: string): string {
  return `id: ${id}\nevent: stale\ndata: {}\n\n`;
}

function send(response: ServerResponse, text: string): void {
  if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  else response.write(text);
}

/** An event for open pages. */
interface PageEvent {
  readonly name: 'flip' | 'incident' | 'figures';
  /** A later event of the same key makes this one obsolete. */
  readonly key: string;
  readonly data: object;
  /** For these readers only; absent: for all. */
  readonly seen?: 'all' | 'public';
}

interface LoggedEvent extends PageEvent {
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
