import { setTimeout as wait } from 'node:timers/promises';
import { ConfigurationError } from '../../config/index.ts';

/** How often to look whether a file of the configuration has changed. */
export const LOOK_MS = 5_000;

export interface KeepCurrentOptions<C, R extends { stop(): Promise<void> }> {
  /** The configuration at the start. */
  readonly first: C;
  /** Reads the configuration anew. @throws ConfigurationError */
  readonly load: () => C | Promise<C>;
  readonly start: (configuration: C) => Promise<R>;
  /** Changes with the files that the configuration is read from. */
  readonly fingerprint: () => string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** How often to look, in ms. */
  readonly everyMs: number;
}

/**
 * Runs something until the signal, and starts it anew when its configuration has changed or a SIGHUP asks for it. One that can't be used is reported once,
 * and the earlier one stays. Returns what ran last, stopped.
 */
export async function keepCurrent<C, R extends { stop(): Promise<void> }>({
  first,
  load,
  start,
  fingerprint,
  say,
  signal,
  everyMs,
}: KeepCurrentOptions<C, R>): Promise<R> {
  let current = first;
  let seen = fingerprint();
  let running = await start(current);
  while (!signal.aborted) {
    const isAsked = await pauseOrReload(everyMs, signal);
    const found = fingerprint();
    if (signal.aborted || (found === seen && !isAsked)) continue;
    const before = seen;
    seen = found;
    const next = await usable(load, say);
    if (next === undefined) continue;
    await running.stop();
    const started = await usable(() => start(next), say);
    if (started) {
      current = next;
      say(found === before ? RELOADED : 'The configuration has changed: the monitor goes on with the new one.');
    }
    running = started ?? (await start(current));
  }
  await running.stop();
  return running;
}

const RELOADED = 'The configuration was read again: the monitor goes on with it.';

/** The result of `work`; `undefined` if the configuration can't be used, which is said. Any other error is a bug of ours. */
async function usable<T>(work: () => T | Promise<T>, say: (line: string) => void): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    say(`The configuration has changed, but can't be used; the monitor goes on with the earlier one. ${error.message}`);
    return undefined;
  }
}

let isWatching = false;
let isAsked = false;
let wake = () => {};

/**
 * Waits `ms`, or until the signal is aborted; whether a SIGHUP asked for the configuration to be read again. Without this, a SIGHUP
 * would end the process.
 */
export async function pauseOrReload(ms: number, signal: AbortSignal): Promise<boolean> {
  // On Windows it says that the window is being closed.
  if (!isWatching && process.platform !== 'win32')
    process.on('SIGHUP', () => {
      isAsked = true;
      wake();
    });
  isWatching = true;
  const woken = new AbortController();
  wake = () => woken.abort();
  if (!isAsked) await wait(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  const wasAsked = isAsked;
  isAsked = false;
  return wasAsked;
}
