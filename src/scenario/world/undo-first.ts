import { type Observer, silent } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import type { Entry } from '../journal/entries.ts';
import { type Leftovers, leftoversIn, leftoversOf } from '../journal/read-journals.ts';
import { runLog } from '../state/run-log.ts';
import { type UndoOptions, undoLeftovers } from './undo-leftovers.ts';

interface UndoFirst extends Pick<UndoOptions, 'runId' | 'signal' | 'longestCallMs' | 'transports'> {
  /** Hears of the requests that undo. */
  readonly exchanged?: Observer['exchanged'];
}

interface Attempt {
  /** By `performance.now()`, before another run tries again. */
  readonly notBefore: number;
}

/** The last failed attempt to undo each change, by its id. */
const tried = new WeakMap<Environment, Map<string, Attempt>>();

/** How many times as long as a change had no response, its undo rests: less than until the next run of most, which finds it repaired. */
const REST = 5;

/**
 * Undoes what another scenario or run left behind as the environment's users, before a scenario acts as them. Returns what remains. What
 * failed is not tried again in the same run, and what had no response rests in others, too: each would wait for a service that is down.
 */
export async function undoLeftoversFirst(environment: Environment, options: UndoFirst): Promise<Leftovers> {
  // Fresh users have no leftovers.
  if (environment.provisionUrl) return leftoversIn([]);
  const left = leftoversOf(environment);
  const { pending } = left;
  if (pending.length === 0) return left;
  const { runId, exchanged = silent.exchanged } = options;
  const known = tried.get(environment) ?? new Map<string, Attempt>();
  tried.set(environment, known);
  // Other workers of this run have tried some of them.
  const log = runLog<string>(runId, environment.name, 'undo-tried');
  const inRun = new Set(log.all());
  const only = ({ id }: Pick<Entry, 'id'>) => !inRun.has(id) && (known.get(id)?.notBefore ?? 0) < performance.now();
  if (!pending.some(only)) return left;
  const undone = await undoLeftovers(environment, { ...options, observer: { ...silent, exchanged }, only });
  const rested = performance.now() + REST * (options.longestCallMs ?? environment.requestTimeoutMs);
  for (const { entry, done, isHanging } of undone)
    if (done) known.delete(entry.id);
    else {
      known.set(entry.id, { notBefore: isHanging ? rested : 0 });
      log.add(entry.id);
    }
  return leftoversOf(environment);
}
