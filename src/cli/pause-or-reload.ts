import { setTimeout as wait } from 'node:timers/promises';

let isWatching = false;
let isAsked = false;
let wake = () => {};

/**
 * Waits `ms`, or until the signal is aborted; whether a SIGHUP asked for the configuration to be read again. Without this, a SIGHUP
 * would end the process.
 */
export async function pauseOrReload(ms: number, signal: AbortSignal): Promise<boolean> {
  watch();
  const woken = new AbortController();
  wake = () => woken.abort();
  if (!isAsked) await wait(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  const wasAsked = isAsked;
  isAsked = false;
  return wasAsked;
}

function watch(): void {
  // On Windows it says that the window is being closed.
  if (isWatching || process.platform === 'win32') return;
  isWatching = true;
  process.on('SIGHUP', () => {
    isAsked = true;
    wake();
  });
}
