import { type Observer, silent } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { operation } from '../../spec/index.ts';
import type { Entry } from './entries.ts';
import { readDeadJournals } from './read-journals.ts';
import { undoLeftovers } from './undo-leftovers.ts';

interface Options {
  readonly runId: string;
  readonly signal?: AbortSignal;
  /** Hears of the requests that undo. */
  readonly exchanged?: Observer['exchanged'];
  /** A call may not take longer, whatever the environment allows; in ms. */
  readonly longestCallMs?: number;
}

/** A failed undo is not tried again in the same run, so as not to wait repeatedly for a service that is down. */
const tried = new WeakMap<Environment, { readonly runId: string; readonly ids: Set<string> }>();

/**
 * Undoes what another scenario or run left behind as the environment's users, before a scenario acts as them. Returns
 * what remains: a scenario that fails because of it says nothing about the service.
 */
export async function undoLeftoversFirst(environment: Environment, options: Options): Promise<readonly Entry[]> {
  // Fresh users have no leftovers.
  if (environment.provisionUrl) return [];
  const pending = leftBehind(environment);
  if (pending.length === 0) return [];
  const { runId, signal, longestCallMs, exchanged = silent.exchanged } = options;
  const known = tried.get(environment);
  const ids = known?.runId === runId ? known.ids : new Set<string>();
  tried.set(environment, { runId, ids });
  const untried = new Set(pending.map(({ id }) => id).filter((id) => !ids.has(id)));
  if (untried.size === 0) return pending;
  for (const id of untried) ids.add(id);
  const only = ({ id }: Entry) => untried.has(id);
  const limits = { ...(signal ? { signal } : {}), ...(longestCallMs === undefined ? {} : { longestCallMs }) };
  await undoLeftovers(environment, { observer: { ...silent, exchanged }, runId, only, ...limits });
  return leftBehind(environment);
}

/** Leftovers of this environment's current users and addresses; others don't affect scenarios. */
function leftBehind({ name, addresses, caller, friend }: Environment): Entry[] {
  return readDeadJournals(name)
    .flatMap(({ pending }) => pending)
    .filter(
      ({ as, userId, base, undo }) =>
        base === addresses[operation(undo).area].href && userId === (as === 'caller' ? caller : friend).userId,
    );
}
