import { type Observer, silent } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import type { Entry } from '../journal/entries.ts';
import { Leftovers, leftoversOf } from '../journal/leftovers.ts';
import { undoLeftovers } from './undo-leftovers.ts';

interface Options {
  readonly runId: string;
  readonly signal?: AbortSignal | undefined;
  /** Hears of the requests that undo. */
  readonly exchanged?: Observer['exchanged'];
  /** A call may not take longer, whatever the environment allows; in ms. */
  readonly longestCallMs?: number | undefined;
}

/** A failed undo is not tried again in the same run, so as not to wait repeatedly for a service that is down. */
const tried = new WeakMap<Environment, { readonly runId: string; readonly ids: Set<string> }>();

/** Undoes what another scenario or run left behind as the environment's users, before a scenario acts as them. Returns what remains. */
export async function undoLeftoversFirst(environment: Environment, options: Options): Promise<Leftovers> {
  // Fresh users have no leftovers.
  if (environment.provisionUrl) return new Leftovers([]);
  const left = leftoversOf(environment);
  const { pending } = left;
  if (pending.length === 0) return left;
  const { runId, signal, longestCallMs, exchanged = silent.exchanged } = options;
  const known = tried.get(environment);
  const ids = known?.runId === runId ? known.ids : new Set<string>();
  tried.set(environment, { runId, ids });
  const untried = new Set(pending.map(({ id }) => id).filter((id) => !ids.has(id)));
  if (untried.size === 0) return left;
  for (const id of untried) ids.add(id);
  const only = ({ id }: Entry) => untried.has(id);
  await undoLeftovers(environment, { observer: { ...silent, exchanged }, runId, only, signal, longestCallMs });
  return leftoversOf(environment);
}
