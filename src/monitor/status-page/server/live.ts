import type { ServerResponse } from 'node:http';

const ALIVE_MS = 15_000;
const MOST_LISTENERS = 300;
/** A client that doesn't read is dropped: its data would pile up in memory. */
const MOST_UNREAD_BYTES = 65_536;
/** Many changes at once are told together. */
const AT_MOST_EVERY_MS = 500;

/** Tells open pages, as server-sent events, of which edition the states are: a page of another edition loads itself anew. */
export class Live {
  readonly #edition: () => string;
  readonly #listeners = new Set<ServerResponse>();
  readonly #alive = setInterval(() => this.#send(':\n\n'), ALIVE_MS);
  #told = '';
  #waiting: NodeJS.Timeout | undefined;

  constructor(edition: () => string) {
    this.#edition = edition;
  }

  get isFull(): boolean {
    return this.#listeners.size >= MOST_LISTENERS;
  }

  /** Starts a stream; whoever was away hears at once what the edition is now. */
  add(response: ServerResponse): void {
    response.write(`retry: 2000\n\ndata: ${this.#edition()}\n\n`);
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  /** Something was recorded: tells soon, if it changed a state. */
  look(): void {
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      if (this.#told === this.#edition()) return;
      this.#told = this.#edition();
      this.#send(`data: ${this.#told}\n\n`);
    }, AT_MOST_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#alive);
    clearTimeout(this.#waiting);
    for (const response of this.#listeners) response.end();
    this.#listeners.clear();
  }

  #send(text: string): void {
    for (const response of this.#listeners)
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else response.write(text);
  }
}
