import { type Exchange, type SuiteError, seenIn, Unproven } from '../../client/index.ts';
import { type CallableId, type Operation, shownByOutcomesOf, userArguments } from '../../spec/index.ts';
import { proven, recall, subjectOf, wasEverAccepted } from '../data/memory.ts';
import { allItemsGone, type NoItemLeft } from '../data/stored-item.ts';
import { moreUsers } from '../data/users.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { drift } from './as-before.ts';

/** A rejected valid request that isn't a failure: it is a reading of what the specification leaves open. */
export function openRefusal(
  world: WorldBasis,
  operation: Operation,
  args: unknown,
  refused: readonly Exchange[],
): SuiteError | undefined {
  return (
    ofInventedUser(world, operation, args, refused) ??
    ofClonedType(world, operation, args, refused) ??
    ofGoneItem(world, operation, args)
  );
}

/** The specification does not promise that a service accepts an invented user; one that did so before is expected to. */
function ofInventedUser(
  { environment, data, readings }: WorldBasis,
  { id: operation, title }: Operation,
  args: unknown,
  [met]: readonly Exchange[],
): SuiteError | undefined {
  const named = Object.entries((args ?? {}) as object).filter(([name]) => userArguments.has(name));
  if (!met || !named.some(([, id]) => typeof id === 'string' && data.isInvented(id))) return undefined;
  const subject = subjectOf(environment, operation as CallableId, args, { isInvented: (id) => data.isInvented(id) });
  const claim = `learned: ${title.toLowerCase()} takes an invented user here` as const;
  const drifted = subject && drift(environment, met, { subject: proven(subject), claim, observed: seenIn(met) });
  if (drifted) return drifted;
  // A service that blocks nobody has no reading of whom it blocks.
  const ofFriend = subjectOf(environment, operation as CallableId, asFriend(args, environment.friend.userId));
  const takesFriend = ofFriend && recall(environment, ofFriend)?.accepted;
  if (operation === shownByOutcomesOf('unknownUser') && takesFriend)
    readings.find({ question: 'unknownUser', reading: 'refused' });
  return new Unproven(
    `${title.toLowerCase()} of an invented user is refused (${seenIn(met)}); ${moreUsers(environment)} provides an existing one`,
  );
}

/** The same arguments for the friend. */
function asFriend(args: unknown, userId: string | undefined): unknown {
  return Object.fromEntries(
    Object.entries(args as object).map(([name, value]) => [name, userArguments.has(name) ? userId : value]),
  );
}

/** A type that was cloned under its source's label may be cloned no more, and then a new label is none of the source's. */
function ofClonedType(
  { environment, readings }: WorldBasis,
  { id }: Operation,
  args: unknown,
  refused: readonly Exchange[],
): Unproven | undefined {
  if (id !== shownByOutcomesOf('typeVersion')) return undefined;
  const [asItStands, newLabel] = refused.map(({ response }) => response?.status);
  const isOfSource = readings.known({ question: 'typeVersion' })?.reading === 'source';
  const wasAccepted = wasEverAccepted(environment, id as CallableId, args);
  const isThere = asItStands === 409 || (newLabel !== undefined && wasAccepted);
  if (!isThere || asItStands === newLabel || (newLabel === undefined && !isOfSource)) return undefined;
  const other = newLabel === undefined ? '' : `, ${newLabel} for a new label`;
  return new Unproven(
    `the type has been cloned already: ${asItStands} for TYPE_VERSION=${environment.data.typeVersion}${other}`,
  );
}

/** An item that is gone can't be deleted, and the suite can't judge without another one. */
function ofGoneItem(world: WorldBasis, { usesUp }: Operation, args: unknown): NoItemLeft | undefined {
  const { id } = (args ?? {}) as { readonly id?: unknown };
  return usesUp?.renewedBy === 'item' && typeof id === 'string' ? allItemsGone(world, id) : undefined;
}
