import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../config/index.ts';
import { machineOf } from './owner.ts';
import { readJournals } from './read-journals.ts';
import { runLocks } from './run-lock.ts';
import { LONGEST_WATCH_MS } from './signs-of-life.ts';

/** The processes that run against an environment now, with the changes of each that are still to be undone. @throws FileTrouble */
export function liveRuns(environment: Environment): ReadonlyMap<number, number> {
  const runs = new Map<number, number>();
  for (const { pid, live } of runLocks(environment)) if (live) runs.set(pid, 0);
  for (const { owner, live, pending } of readJournals(environment.name))
    if (live && typeof owner === 'object' && pending.length > 0)
      runs.set(owner.pid, (runs.get(owner.pid) ?? 0) + pending.length);
  return runs;
}

/**
 * Waits until it is clear of each run on another machine that has changes to undo whether it still runs: a moment where it does, and
 * `LONGEST_WATCH_MS` where it doesn't. Says so on stderr if it takes longer. Ends early with `signal`.
 * @throws FileTrouble
 */
export async function untilRunsAreClear({ name }: Environment, signal?: AbortSignal): Promise<void> {
  for (let looks = 0; !signal?.aborted; looks++) {
    const owners = readJournals(name).flatMap(({ owner, life, pending, unseen, damaged }) =>
      typeof owner === 'object' && life === 'unclear' && pending.length + unseen.length + damaged.length > 0
        ? owner
        : [],
    );
    const [first] = owners;
    if (!first) return;
    if (looks === LOOKS_BEFORE_SAYING)
      process.stderr.write(
        `${name}: waiting up to ${LONGEST_WATCH_MS / 1_000} s, to see whether a run on ${machineOf(first)} (process ${first.pid}), which left changes, goes on.\n`,
      );
    await wait(LOOK_MS, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

const LOOK_MS = 250;
const LOOKS_BEFORE_SAYING = 12;
