import { type CallingSession, RawBody, rawBody } from '../call/index.ts';
import type { Exchange } from '../http/index.ts';
import { operation as entryOf } from '../service/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';
import { isRedo, isUndoOf, type Pending } from './changes.ts';
import { type Profile, readRestored } from './profile-values.ts';
import { asRestoration } from './scope.ts';
import { readForgotten, type Shown } from './shown-change.ts';

/** The result of an undo. */
export interface UndoOutcome {
  /** A list shows that the undo worked, or the undo was accepted and no list can show it, or there was nothing to undo. */
  readonly isDone: boolean;
  /**
   * The response to the undo. If an earlier change that should be re-created exists already, no undo is sent, and this is the list that
   * shows the change.
   */
  readonly undone: Exchange;
  readonly isAccepted: boolean;
  /** The list or the profile that still shows the change after its undo. */
  readonly shownIn?: Shown | undefined;
}

/**
 * Undoes a change: removes it, re-creates an earlier change that was undone for a scenario, or restores a profile. Calls `accepted` as soon
 * as the service accepts an undo that a list can confirm. If the list still shows the change, the service may store its id as a number, so
 * the undo is sent again with the number.
 */
export async function undoChange(
  entry: Pending,
  session: CallingSession,
  target: ServiceUnderTest,
  accepted: () => void,
  args = entry.asSent && entry.isUndone ? rawBody(entry.asSent) : asRestoration({ ...(entry.args as object) }),
): Promise<UndoOutcome> {
  const { allowedEffects, successWhen } = target;
  const { isUndoSent, undo, change } = entry;
  const { restoredBy, shownBy } = entryOf(change);
  const undoing = entryOf(undo);
  const isLent = isUndoOf(undo, change) && allowedEffects.has('reversible');
  const effect = isLent ? 'reversible' : undoing.effect;
  // A killed run may have re-created the change already, and on some services repeating a change undoes it.
  const there = isRedo(entry) ? await readForgotten(session, target, { change: undo, args: entry.args }) : undefined;
  if (there?.isShown) return { isDone: true, undone: there.list, isAccepted: true };
  const undone = await session.exchange({ ...undoing, effect }, args, new Map(), 'settled');
  const { isAccepted, isPlainRefusal, foundNothing } = outcomeOf(undone, successWhen);
  const saysNothing = foundNothing || (!entry.isAccepted && isPlainRefusal);
  const outcome = (isDone: boolean, shownIn?: Shown) => ({ isDone, undone, isAccepted, shownIn });
  if (!isAccepted && !saysNothing) return outcome(false);
  if (isAccepted && shownBy) accepted();
  const read = (): Promise<Shown | undefined> =>
    restoredBy ? readRestored(session, target, entry.args as Profile) : readForgotten(session, target, entry);
  const first = await read();
  // If the service says that there was nothing to undo, the list is read twice, because it may lag behind the change.
  const found = isAccepted || first?.isShown ? first : await read();
  if (found?.isShown && entry.asSent && !(args instanceof RawBody))
    return undoChange(entry, session, target, accepted, rawBody(entry.asSent));
  if (found?.isShown) return outcome(false, found);
  // If no list can show whether the change still exists, “nothing found” means that the undo worked only in two cases: the change was never
  // seen to be accepted, or an earlier undo may have been sent.
  return outcome(isAccepted || found !== undefined || ((isUndoSent || !entry.isAccepted) && foundNothing));
}
