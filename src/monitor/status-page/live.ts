import type { ServerResponse } from 'node:http';
import { redact } from '../../client/index.ts';
import { EventLog, type LoggedEvent, type PageEvent } from './event-log.ts';

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
