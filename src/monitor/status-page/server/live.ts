import type { ServerResponse } from 'node:http';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { type PageResponse, SharedBody } from '../../../serving/index.ts';

const ALIVE_MS = 15_000;
const MOST_LISTENERS = 300;
/** A client that doesn't read is dropped: its data would pile up in memory. */
const MOST_UNREAD_BYTES = 65_536;
/** Many changes at once are told together. */
const AT_MOST_EVERY_MS = 500;

export type Live = ReturnType<typeof tellPages>;

/** Tells open pages, as server-sent events, of which edition the states are: a page of another edition loads itself anew. */
export function tellPages(edition: () => string) {
  const listeners = new Set<ServerResponse>();
  const send = (text: string) => {
    for (const response of listeners)
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else response.write(text);
  };
  const alive = setInterval(() => send(':\n\n'), ALIVE_MS);
  let told = '';
  let waiting: NodeJS.Timeout | undefined;
  return {
    get isFull() {
      return listeners.size >= MOST_LISTENERS;
    },
    /** Starts a stream; whoever was away hears at once what the edition is now. */
    add(response: ServerResponse): void {
      response.write(`retry: 2000\n\ndata: ${edition()}\n\n`);
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    },
    /** Something was recorded: tells soon, if it changed a state. */
    look(): void {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        if (told === edition()) return;
        told = edition();
        send(`data: ${told}\n\n`);
      }, AT_MOST_EVERY_MS).unref();
    },
    stop(): void {
      clearInterval(alive);
      clearTimeout(waiting);
      for (const response of listeners) response.end();
      listeners.clear();
    },
  };
}

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

/** `undefined`: there is no such page. */
type Drawn = string | undefined | Promise<string | undefined>;

/**
 * Takes a page that all readers share, by its name: drawn, searched for secrets and compressed once a second at most, however many ask, and when
 * a state changed. `edition` is another one after each change of a state; `now`: in ms, from any start.
 */
export function recentPages(edition: () => string, now: () => number = () => performance.now()) {
  const recent = new Map<string, Kept>();
  return (name: string, type: string, draw: () => Drawn): Kept['page'] => {
    const asked = { at: now(), edition: edition() };
    for (const [other, kept] of recent)
      if (asked.at - kept.at >= (kept.edition === asked.edition ? KEEP_MS : LEAST_MS)) recent.delete(other);
    const known = recent.get(name);
    if (known) return known.page;
    const page = drawn(type, draw);
    page.catch(() => recent.delete(name));
    const [oldest] = recent.keys();
    if (oldest !== undefined && recent.size >= MOST) recent.delete(oldest);
    recent.set(name, { ...asked, page });
    return page;
  };
}

async function drawn(type: string, draw: () => Drawn): Kept['page'] {
  await othersTurn();
  const text = await draw();
  return text === undefined ? undefined : { headers: { 'content-type': type }, body: new SharedBody(text) };
}
