import { idIn } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { formQuestionOf } from '../../questions/index.ts';
import type { Pending } from '../../safety/index.ts';
import { type CallableId, type Operation, operation, userArguments } from '../../service/index.ts';
import { type Circumstances, DoneBefore, outcomeOf, type SuiteError, seenIn, Unproven } from '../../verdict/index.ts';
import { configuredIn } from '../data/configured-data.ts';
import { goneItem, isRefusedAlike } from '../data/stored-item.ts';
import { moreUsers } from '../data/users.ts';
import type { WorldBasis } from '../data/world-basis.ts';

/** The name of the question: how does the service respond to the read of a list that has no entries? */
export const EMPTY_LIST = 'empty-list';
const NOT_FOUND = 'not found';

/**
 * The circumstances of one scenario that explain unexpected responses. `leftovers` gives changes of other scenarios and runs that could not be
 * undone.
 */
export function circumstancesOf(world: WorldBasis, leftovers: () => readonly Pending[]): Circumstances {
  const { environment, facts } = world;
  return {
    suspects: (_, args) => suspectsOf(environment, args),
    open: (operation, args, refused) => openRefusal(world, operation, args, refused),
    knowsNoEntries: ({ operation }) => facts.answer(EMPTY_LIST, operation) === NOT_FOUND,
    listed: ({ exchange, entries }) => {
      const { isNoEntries: isMissing } = outcomeOf(exchange, environment.successWhen);
      if (entries === 0 || isMissing)
        facts.holds(exchange, { question: EMPTY_LIST, answer: isMissing ? NOT_FOUND : 'a success' });
    },
    leftBehind: ({ area }, id) => {
      const explains = (entry: Pending) =>
        operation(entry.change).area === area && [idIn(entry.args), entry.userId].includes(String(id));
      // `leftovers` leaves out changes that are equal to one of this scenario's own: the scenario began from a known start, so an earlier
      // equal change explains nothing.
      const found = leftovers().find((entry) => explains(entry));
      if (!found) return undefined;
      const { change, args, userId, at } = found;
      const text = `${change} ${JSON.stringify(args)} of ${userId}, left behind by another scenario at ${at}, could not be undone`;
      return { text, needs: operation(change).undo as CallableId | undefined };
    },
  };
}

/** Names the environment's values that may be to blame, such as `for STORY_ID=story-1: the operation is broken, or the story no longer exists`. */
export function suspectsOf(environment: Environment, args: unknown): string | undefined {
  const named = configuredIn(environment, args);
  if (named.length === 0) return undefined;
  const values = named.map(({ key, value }) => `${key}=${value}`).join(', ');
  const nouns = [...new Set(named.map(({ noun }) => noun))].join(' or ');
  return `for ${values}: the operation is broken, or ${nouns} no longer exists`;
}

/**
 * The reason why the refusal of a valid request is no failure, if the specification leaves open whether a service accepts it. `undefined`
 * if it is a failure.
 */
export async function openRefusal(world: WorldBasis, operation: Operation, args: unknown, refused: Exchange) {
  return (
    ofInventedUser(world, operation, args, refused) ??
    (await ofClonedType(world, operation, refused)) ??
    ofUnknownForm(world, operation, refused) ??
    (await ofGoneItem(world, operation, args, refused)) ??
    ofListWithoutEntries(world, refused)
  );
}

/**
 * A service may refuse an invented user, because the specification doesn't promise that it accepts one. If a fact says that it does, the
 * refusal is drift.
 */
function ofInventedUser(
  { environment, data, facts }: WorldBasis,
  { id, title }: Operation,
  args: unknown,
  met: Exchange,
): SuiteError | undefined {
  const named = Object.entries((args ?? {}) as object).filter(([name]) => userArguments.has(name));
  if (!named.some(([, each]) => typeof each === 'string' && data.isInvented(each))) return undefined;
  const answer = `refused with ${met.response?.status}`;
  if (facts.fact('unknown-user', id as CallableId)?.answer === 'accepted')
    facts.holds(met, { question: 'unknown-user', operation: id as CallableId, answer });
  return new Unproven(
    `${title.toLowerCase()} of an invented user is refused (${seenIn(met)}); it needs a user who exists: ${moreUsers(environment)}`,
    `${title.toLowerCase()} of an invented user is refused; it needs a user who exists: ${moreUsers(environment)}`,
    met,
  );
}

/**
 * A service may refuse a clone under the label of its source, because a clone with this label exists already. A 409, or the status in the
 * fact `repeat`, shows that this is the reason. It may also be the reason if the service refuses all requests in the same way, even one
 * without a credential.
 */
async function ofClonedType(world: WorldBasis, { id }: Operation, met: Exchange): Promise<DoneBefore | undefined> {
  const { environment, facts } = world;
  const { question, of: [cloning] = [] } = formQuestionOf(id) ?? {};
  if (question !== 'type-version' || cloning === undefined || facts.formOf(cloning) === 'copy') return undefined;
  const status = met.response?.status;
  const isKnown = status === 409 || facts.answer('repeat', cloning) === `refused with ${status}`;
  const refusesAllAlike = () =>
    isRefusedAlike(world, met, (call) => call('listBlocked', environment.blockListSegments).without('Authorization'));
  if (!isKnown && (facts.formOf(cloning) !== undefined || !(await refusesAllAlike()))) return undefined;
  const why = `the type ${isKnown ? 'was' : 'may have been'} cloned before: ${status} for TYPE_VERSION=${environment.data.typeVersion}`;
  return new DoneBefore(why, why, met);
}

/**
 * The statuses with which a service refuses arguments that it can't read or doesn't know. Other statuses are about the credentials, the path or the
 * method.
 */
const OF_ARGUMENTS = [400, 404, 409, 422];

/** A service may refuse arguments in the form that the specification shows, because it wants another form. */
function ofUnknownForm(
  { environment, facts, acceptedOperations }: WorldBasis,
  { id, title, usesUp }: Operation,
  met: Exchange,
): Unproven | undefined {
  const form = formQuestionOf(id);
  const status = met.response?.status ?? 0;
  if (form === undefined || facts.formOf(id as CallableId) !== undefined) return undefined;
  if (!outcomeOf(met, environment.successWhen).isPlainRefusal || (status >= 300 && !OF_ARGUMENTS.includes(status)))
    return undefined;
  const { question, about, of } = form;
  // If the operation has accepted a request in this scenario, the form of the arguments isn't the reason. But an operation that uses
  // something up may refuse a second request all the same.
  if (!usesUp && acceptedOperations.has(id as CallableId)) return undefined;
  // If the run has asked about the form, and the service refused every form, the form isn't the reason.
  if (facts.whyOpen(question, of[0])?.includes('refused with')) return undefined;
  const command = facts.surveyCommand(question, of[0]);
  const isWorn = question === 'avatar-form' && !environment.data.avatarItemIds?.length;
  const real = isWorn ? ' (if it wants real items or a design, set AVATAR_ITEM_IDS and AVATAR_DESIGN_ID first)' : '';
  return new Unproven(
    `${title.toLowerCase()} is refused (${seenIn(met)}), and no fact says ${about}; run \`${command}\` to find out${real}`,
    `${title.toLowerCase()} is refused, and no fact says ${about}; run \`${command}\` to find out${real}`,
    met,
  );
}

/** A service may refuse to delete a stored item that is gone. Without another item, the suite can't judge deletion. */
async function ofGoneItem(
  world: WorldBasis,
  { usesUp }: Operation,
  args: unknown,
  met: Exchange,
): Promise<SuiteError | undefined> {
  const { id } = (args ?? {}) as { readonly id?: unknown };
  return usesUp?.renewedBy === 'item' && typeof id === 'string' ? goneItem(world, id, met) : undefined;
}

/** A service may answer 404 for a list without entries. Scenarios that add an entry find out whether the list works then. */
function ofListWithoutEntries({ facts, environment }: WorldBasis, met: Exchange): Unproven | undefined {
  const isShownElsewhere = environment.allowedEffects.has('reversible') && environment.friend.userId !== undefined;
  const { isNoEntries } = outcomeOf(met, environment.successWhen);
  if (!isNoEntries || !isShownElsewhere || facts.answer(EMPTY_LIST, met.operation) !== undefined) return undefined;
  return new Unproven(
    `${met.operation} is not found, perhaps because the list has no entries; run \`${facts.surveyCommand(EMPTY_LIST, met.operation)}\` to find out`,
  );
}
