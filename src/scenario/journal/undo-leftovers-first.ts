import { type Observer, silent } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { operation } from '../../spec/index.ts';
import type { Entry } from './entries.ts';
import { readJournals } from './read-journals.ts';
import { undoLeftovers } from './undo-leftovers.ts';

interface Options {
  readonly runId: string;
  readonly signal?: AbortSignal;
  /** Hears of the requests that undo. */
  readonly exchanged?: Observer['exchanged'];
}

/** What could not be undone is tried once in a run: a service that doesn't answer is not waited for again and again. */
const tried = new WeakMap<Environment, { readonly runId: string; readonly ids: Set<string> }>();

/**
 * Undoes what another scenario or run left behind as the environment's own users, before a scenario acts as them. Gives
 * what is still there: a scenario that stumbles over that says nothing of the service.
 */
export async function undoLeftoversFirst(environment: Environment, options: Options): Promise<readonly Entry[]> {
  // Nobody left anything behind as users that were made for this scenario.
  if (environment.provisionUrl) return [];
  const pending = leftBehind(environment);
  if (pending.length === 0) return [];
  const { runId, signal, exchanged = silent.exchanged } = options;
  const known = tried.get(environment);
  const ids = known?.runId === runId ? known.ids : new Set<string>();
  tried.set(environment, { runId, ids });
  const untried = new Set(pending.map(({ id }) => id).filter((id) => !ids.has(id)));
  if (untried.size === 0) return pending;
  for (const id of untried) ids.add(id);
  const only = ({ id }: Entry) => untried.has(id);
  await undoLeftovers(environment, { observer: { ...silent, exchanged }, runId, only, ...(signal ? { signal } : {}) });
  return leftBehind(environment);
}

/** What was left behind where this environment's users still are; the rest is no scenario's business. */
function leftBehind({ name, addresses, caller, friend }: Environment): Entry[] {
  return readJournals(name)
    .filter(({ live }) => !live)
    .flatMap(({ pending }) => pending)
    .filter(
      ({ as, userId, base, undo }) =>
        base === addresses[operation(undo).area].href && userId === (as === 'caller' ? caller : friend).userId,
    );
}
