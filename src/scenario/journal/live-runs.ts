import type { Environment } from '../../config/index.ts';
import { readJournals } from './read-journals.ts';
import { runLocks } from './run-lock.ts';

/** The processes that run against an environment now, with the changes of each that are still to be undone. @throws FileTrouble */
export function liveRuns(environment: Environment): ReadonlyMap<number, number> {
  const runs = new Map<number, number>();
  for (const { pid, live } of runLocks(environment)) if (live) runs.set(pid, 0);
  for (const { owner, live, pending } of readJournals(environment.name))
    if (live && typeof owner === 'object' && pending.length > 0)
      runs.set(owner.pid, (runs.get(owner.pid) ?? 0) + pending.length);
  return runs;
}
