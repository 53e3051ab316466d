import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { percentileOf } from './figures.ts';

/** People who have a monitor's pages open, follow its events and look around once a second. */
export class Reading {
  readonly #url: string;
  readonly #paths: readonly string[];
  readonly #pages = new Map<string, { readonly times: number[]; most: number; mostSent: number }>();
  readonly #readers: Promise<void>[] = [];
  readonly #started = Date.now();
  #eventBytes = 0;
  #isOver = false;

  constructor(url: string, readers: number, paths: readonly string[]) {
    this.#url = url;
    this.#paths = paths;
    for (let index = 0; index < readers; index++) this.#readers.push(this.#read(index));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#readers);
  }

  /** A line for each page, and one for the events. */
  get lines(): string[] {
    const days = (Date.now() - this.#started) / 86_400_000;
    return [
      ...[...this.#pages].map(
        ([path, { times, most, mostSent }]) =>
          `${path}: ${times.length} times, p50 ${percentileOf(times, 50).toFixed(1)} ms, p99 ${percentileOf(times, 99).toFixed(1)} ms; at most ${(most / 1000).toFixed(0)} kB, compressed ${(mostSent / 1000).toFixed(0)} kB`,
      ),
      `events: ${(this.#eventBytes / this.#readers.length / days / 1e6).toFixed(1)} MB per tab and day`,
    ];
  }

  async #read(index: number): Promise<void> {
    const request = get(new URL('/events', this.#url), (response) =>
      response.on('data', (chunk: Buffer) => {
        this.#eventBytes += chunk.length;
      }),
    ).on('error', () => {});
    await wait(index * 100);
    for (let turn = index; !this.#isOver; turn++) {
      const path = this.#paths[turn % this.#paths.length] ?? '/';
      const { ms, bytes, sent } = await load(new URL(path, this.#url));
      const page = this.#pages.get(path) ?? { times: [], most: 0, mostSent: 0 };
      page.times.push(ms);
      page.most = Math.max(page.most, bytes);
      page.mostSent = Math.max(page.mostSent, sent);
      this.#pages.set(path, page);
      await wait(1_000);
    }
    request.destroy();
  }
}

/** Loads a page; sizes in bytes, as they are and as they were sent. */
export async function load(url: URL): Promise<{ ms: number; bytes: number; sent: number }> {
  const before = performance.now();
  const response = await fetch(url);
  const sent = Number(response.headers.get('content-length'));
  const { length } = await response.arrayBuffer().then((body) => Buffer.from(body));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { ms: performance.now() - before, bytes: length, sent };
}
