import type { FileEvent } from './events.ts';

/** Several times what a test needs on a slow machine that is busy otherwise too: they end what hangs, not what is slow. */
export interface Limits {
  /** For a test that has no limit of its own. */
  readonly testMs: number;
  readonly fileMs: number;
  /** From the end of its last test until its process ends. */
  readonly endMs: number;
}

export interface Elapsed {
  readonly ranMs: number;
  /** Since the last event. */
  readonly quietMs: number;
}

/** Why a file that hasn't ended by itself must be; `undefined` while it may go on. */
export function reasonToEnd(
  events: readonly FileEvent[],
  { ranMs, quietMs }: Elapsed,
  { fileMs, endMs }: Pick<Limits, 'fileMs' | 'endMs'>,
): string | undefined {
  const running = runningTests(events);
  const hasRun = events.some(({ type }) => type === 'ends');
  if (running.length === 0 && hasRun && quietMs > endMs)
    return `its tests ended, but not its process after ${seconds(endMs)}: close what they opened`;
  if (ranMs <= fileMs) return undefined;
  const where =
    running.length > 0 ? `in "${running.join(' > ')}"` : 'outside its tests: in a hook, or while it was loaded';
  return `ended after ${seconds(fileMs)}, ${where}`;
}

/** The titles of the tests that began and haven't ended, outermost first. */
function runningTests(events: readonly FileEvent[]): string[] {
  const running: { title: string; nesting: number }[] = [];
  for (const event of events) {
    if (event.type === 'begins') running.push(event);
    if (event.type !== 'ends') continue;
    const last = running.findLastIndex(({ title, nesting }) => title === event.title && nesting === event.nesting);
    if (last >= 0) running.splice(last, 1);
  }
  return running.map(({ title }) => title);
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
