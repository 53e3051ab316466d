import {
  type Circumstances,
  type Claim,
  type Exchange,
  idIn,
  isNoEntries,
  type SuiteError,
  seenIn,
  Unproven,
} from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import {
  type CallableId,
  type OpenQuestion,
  type Operation,
  openQuestions,
  operation,
  questionOfForm,
  shownByOutcomesOf,
  userArguments,
} from '../../spec/index.ts';
import { configuredIn } from '../data/configured-data.ts';
import {
  historyText,
  noteOutcome,
  proven,
  recall,
  subjectOf,
  wasEverAccepted,
  withoutEntries,
} from '../data/memory.ts';
import { goneItem, type NoItemLeft } from '../data/stored-item.ts';
import { moreUsers } from '../data/users.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import type { Entry } from '../journal/entries.ts';
import { drift } from './as-before.ts';

/** The circumstances of one scenario: `leftovers` gives what could not be undone and what it did not change itself. */
export function circumstancesOf(world: WorldBasis, leftovers: () => readonly Entry[]): Circumstances {
  const { environment } = world;
  return {
    suspects: ({ id }, args) => suspectsOf(environment, id as CallableId, args),
    open: (operation, args, refused) => openRefusal(world, operation, args, refused),
    knowsNoEntries: ({ operation }) => recall(environment, withoutEntries(operation))?.refused !== undefined,
    listed: (list) => listedOtherwise(environment, list),
    leftBehind: ({ area }, id) => {
      const explains = (entry: Entry) =>
        operation(entry.change).area === area && [idIn(entry.args), entry.userId].includes(String(id));
      // What this scenario changed itself had a known start.
      const found = leftovers().find((entry) => explains(entry));
      if (!found) return undefined;
      const { change, args, userId, at } = found;
      const text = `${change} ${JSON.stringify(args)} of ${userId}, left behind by another scenario at ${at}, could not be undone`;
      return { text, needs: operation(change).undo as CallableId | undefined };
    },
  };
}

/** `for STORY_ID=story-1: the operation fails, or the story is gone; accepted 214 times since 2026-11-03 09:12, refused since 11:20`. */
export function suspectsOf(environment: Environment, id: CallableId, args: unknown): string | undefined {
  const named = configuredIn(environment, args);
  if (named.length === 0) return undefined;
  const values = named.map(({ key, value }) => `${key}=${value}`).join(', ');
  const nouns = [...new Set(named.map(({ noun }) => noun))].join(' or ');
  const subject = subjectOf(environment, id, args);
  const known = subject && recall(environment, subject);
  const history = known?.accepted ? `; ${historyText(known, 'accepted', Date.now())}` : '';
  return `for ${values}: the operation fails, or ${nouns} is gone${history}`;
}

function listedOtherwise(
  environment: Environment,
  { exchange, entries }: Parameters<Circumstances['listed']>[0],
): SuiteError | undefined {
  const { operation, startedAt } = exchange;
  const isMissing = isNoEntries(exchange);
  if (entries !== 0 && !isMissing) return undefined;
  const subject = withoutEntries(operation);
  const claim: Claim = `learned: ${operation} without entries is a success here`;
  const isNew = isMissing && !recall(environment, subject)?.refused;
  const drifted = isNew && drift(environment, exchange, { subject, claim, observed: seenIn(exchange) });
  if (drifted) return drifted;
  noteOutcome(environment, subject, isMissing ? 'refused' : 'accepted', startedAt);
  return undefined;
}

/** A rejected valid request that isn't a failure: it is a reading of what the specification leaves open. */
export async function openRefusal(world: WorldBasis, operation: Operation, args: unknown, refused: Exchange) {
  return (
    ofInventedUser(world, operation, args, refused) ??
    ofClonedType(world, operation, args, refused) ??
    ofUnknownForm(world, operation, refused) ??
    (await ofGoneItem(world, operation, args, refused)) ??
    ofListWithoutEntries(world, refused)
  );
}

/** The specification does not promise that a service accepts an invented user; one that did so before is expected to. */
function ofInventedUser(
  { environment, data, readings }: WorldBasis,
  { id: operation, title }: Operation,
  args: unknown,
  met: Exchange,
): SuiteError | undefined {
  const named = Object.entries((args ?? {}) as object).filter(([name]) => userArguments.has(name));
  if (!named.some(([, id]) => typeof id === 'string' && data.isInvented(id))) return undefined;
  const subject = subjectOf(environment, operation as CallableId, args, { isInvented: (id) => data.isInvented(id) });
  const claim = `learned: ${title.toLowerCase()} takes an invented user here` as const;
  const drifted = subject && drift(environment, met, { subject: proven(subject), claim, observed: seenIn(met) });
  if (drifted) return drifted;
  // A service that blocks nobody has no reading of whom it blocks.
  const friends = Object.fromEntries(named.map(([name]) => [name, environment.friend.userId]));
  const ofFriend = subjectOf(environment, operation as CallableId, { ...(args as object), ...friends });
  const takesFriend = ofFriend && recall(environment, ofFriend)?.accepted;
  if (operation === shownByOutcomesOf('unknownUser') && takesFriend)
    readings.find({ question: 'unknownUser', reading: 'refused' });
  return new Unproven(
    `${title.toLowerCase()} of an invented user is refused (${seenIn(met)}); ${moreUsers(environment)} provides an existing one`,
    `${title.toLowerCase()} of an invented user is refused; ${moreUsers(environment)} provides an existing one`,
  );
}

/** A type that was cloned under its source's label may be cloned no more. */
function ofClonedType(
  { environment, readings }: WorldBasis,
  { id }: Operation,
  args: unknown,
  { response }: Exchange,
): Unproven | undefined {
  if (id !== shownByOutcomesOf('typeVersion') || readings.of({ question: 'typeVersion' }) === 'copy') return undefined;
  if (response?.status !== 409 && !wasEverAccepted(environment, id as CallableId, args)) return undefined;
  return new Unproven(
    `the type has been cloned already: ${response?.status} for TYPE_VERSION=${environment.data.typeVersion}`,
  );
}

/** How a service refuses what it can't read, or doesn't know: not for the credentials, the path or the method. */
const OF_ARGUMENTS = [400, 404, 409, 422];

/** The arguments are in the form that the document shows, and services may want another. */
function ofUnknownForm(
  { environment, readings }: WorldBasis,
  { id, title }: Operation,
  met: Exchange,
): Unproven | undefined {
  const question = questionOfForm(id);
  const status = met.response?.status ?? 0;
  if (question === undefined || readings.of({ question })) return undefined;
  if (status >= 300 && !OF_ARGUMENTS.includes(status)) return undefined;
  const { question: asked, key, readings: possible }: OpenQuestion = openQuestions[question];
  const cure = `${key} says it (${Object.keys(possible).join(', ')}), and \`npx sextant survey --env ${environment.name}\` finds it out`;
  const why = (seen: string) => `${title.toLowerCase()} is refused${seen}, and nothing is known of ${asked}: ${cure}`;
  return new Unproven(why(` (${seenIn(met)})`), why(''));
}

/** An item that is gone can't be deleted, and the suite can't judge without another one. */
async function ofGoneItem(
  world: WorldBasis,
  { usesUp }: Operation,
  args: unknown,
  met: Exchange,
): Promise<NoItemLeft | undefined> {
  const { id } = (args ?? {}) as { readonly id?: unknown };
  return usesUp?.renewedBy === 'item' && typeof id === 'string' ? goneItem(world, id, met) : undefined;
}

/** Scenarios that change a list show whether it is not found while it has no entries; where they can't be played, it has failed. */
function ofListWithoutEntries({ environment }: WorldBasis, met: Exchange): Unproven | undefined {
  const isShownElsewhere = environment.allowedEffects.has('reversible') && environment.friend.userId !== undefined;
  if (!isNoEntries(met) || !isShownElsewhere) return undefined;
  return new Unproven(`${met.operation} is not found, which may mean that it has no entries`);
}
