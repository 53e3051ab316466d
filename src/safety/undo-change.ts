import type { CallingSession } from '../call/index.ts';
import type { Exchange } from '../http/index.ts';
import { operation as entryOf } from '../service/index.ts';
import { foundNothing, isPlainRefusal, judge, type ServiceUnderTest } from '../verdict/index.ts';
import type { Pending } from './changes.ts';
import { type Profile, readRestored } from './profile-values.ts';
import { asRestoration } from './scope.ts';
import { readForgotten, type Shown } from './shown-change.ts';

/** The result of an undo. */
export interface UndoOutcome {
  /** It was seen, or accepted where nothing shows it, or there was nothing to undo. */
  readonly isDone: boolean;
  /** The response to the undo. */
  readonly undone: Exchange;
  readonly isAccepted: boolean;
  /** The list, or the profile, that shows the change all the same. */
  readonly shownIn?: Exchange | undefined;
}

/** Undoes a change: takes it back, makes again what was undone for a scenario, or puts a profile back. `accepted` hears of it at once. */
export async function undoChange(
  entry: Pending,
  session: CallingSession,
  target: ServiceUnderTest,
  accepted: () => void,
): Promise<UndoOutcome> {
  const { allowedEffects, successWhen } = target;
  const { restoredBy, shownBy } = entryOf(entry.change);
  const undoing = entryOf(entry.undo);
  const effect = allowedEffects.has('reversible') ? 'reversible' : undoing.effect;
  const args = asRestoration({ ...(entry.args as object) });
  const undone = await session.exchange({ ...undoing, effect }, args, new Map(), 'settled');
  const isAccepted = judge(undone, 'success', successWhen) === undefined;
  const saysNothing = foundNothing(undone) || (!entry.isAccepted && isPlainRefusal(undone, successWhen));
  const outcome = (isDone: boolean, shownIn?: Exchange) => ({ isDone, undone, isAccepted, shownIn });
  if (!isAccepted && !saysNothing) return outcome(false);
  if (isAccepted && shownBy) accepted();
  const read = (): Promise<Shown | undefined> =>
    restoredBy ? readRestored(session, target, entry.args as Profile) : readForgotten(session, target, entry);
  const first = await read();
  // That there was nothing to undo is believed of a list that was read twice: it may lag behind the change.
  const found = isAccepted || first?.isShown ? first : await read();
  if (found?.isShown) return outcome(false, found.list);
  // Without a list, a refusal says that there was nothing to undo only of a change that was never seen accepted.
  return outcome(isAccepted || found !== undefined || (!entry.isAccepted && foundNothing(undone)));
}
