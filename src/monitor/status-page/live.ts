import type { ServerResponse } from 'node:http';

const ALIVE_MS = 15_000;
const AT_MOST_EVERY_MS = 500;
const MOST_LISTENERS = 300;
/** A client that doesn't read is dropped: its data would pile up in memory. */
const MOST_UNREAD_BYTES = 16_384;

/** Notifies open pages of changes (server-sent events); they fetch the new content themselves. */
export class Live {
  readonly #listeners = new Set<ServerResponse>();
  readonly #alive = setInterval(() => this.#send(':\n\n'), ALIVE_MS);
  #waiting: NodeJS.Timeout | undefined;

  get isFull(): boolean {
    return this.#listeners.size >= MOST_LISTENERS;
  }

  add(response: ServerResponse): void {
    response.write('retry: 2000\n\n');
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  /** Many changes at once make one event. */
  changed(): void {
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#send('event: change\ndata: {}\n\n');
    }, AT_MOST_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#alive);
    clearTimeout(this.#waiting);
    for (const response of this.#listeners) response.end();
  }

  #send(text: string): void {
    for (const response of this.#listeners)
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else response.write(text);
  }
}
