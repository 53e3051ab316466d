import { type ApiResponse, inside } from '../../call/index.ts';
import { type CallableId, callable, callableIds, headers, headersOf } from '../../service/index.ts';
import { type Claim, ExpectationError, outcomeOf, Unproven } from '../../verdict/index.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { Skipped } from '../specs/tags.ts';
import { changed, type HeaderChange, questionOf } from './header-change.ts';

/**
 * Sends a call with a header changed; returns its refusal. Where it is accepted: a credential that isn't checked has failed, and
 * so has a header that the service checks by its facts, or checks elsewhere.
 * @throws Skipped where the service checks that header nowhere, which the specification leaves open; Unproven where that is not known.
 */
export async function refusedHeader(world: WorldBasis, change: HeaderChange, args: unknown): Promise<ApiResponse> {
  const call = await world.call();
  const { operation, header, way, claim } = change;
  const { facts, environment } = world;
  const response = await (await changed(call(operation.id, args), change, world)).settles();
  const { undo } = operation;
  // Accepted, it was done for the other user, and so is its undo.
  if (way === 'another' && undo && !response.isRefusal)
    world.defer(async () => (await changed(call(undo as CallableId, args), change, world)).settles());
  const { exchange } = inside(response);
  const outcome = outcomeOf(exchange, environment.successWhen);
  const fails = (because: Claim, and = '') => {
    const shortfall = outcome.shortfall('refusal', because);
    if (!shortfall) return undefined;
    return new ExpectationError(exchange, { ...shortfall, observed: shortfall.observed + and });
  };
  const failure = fails(claim);
  const isKnownEmpty = way === 'another' || facts.answer('empty-list', operation.id) === 'not found';
  if (outcome.isNoEntries && isKnownEmpty)
    throw new Unproven(`${operation.title.toLowerCase()} is not found, which may mean that there it has no entries`);
  if (!failure) return response;
  const question = questionOf(change);
  // A response that neither accepts nor refuses is no answer to the question.
  if (question === undefined || !outcome.isAccepted) throw failure;
  const { name } = headers[header];
  const known = facts.fact(question, operation.id)?.answer;
  const answer = way === 'another' ? 'not tied' : 'accepted';
  facts.holds(response, { question, answer });
  if (!known) {
    const { refused, open } = await elsewhere(world, change);
    const meant = `if that is meant, \`${facts.surveyCommand(question, operation.id, true)}\` accepts it`;
    if (refused) throw fails(claim, `, though ${refused} is refused with ${header} ${words[way]}; ${meant}`) ?? failure;
    facts.found({ question, operation: operation.id, answer });
    // Only the team can say what the token is good for.
    if (way === 'another' || open)
      throw new Unproven(
        `${name} ${words[way]} is accepted; \`${facts.surveyCommand(question, operation.id)}\` keeps as a fact whether that is meant`,
      );
  }
  const isAsKnown = known && !isRefused(known);
  const source = known
    ? `, ${isAsKnown ? 'as' : 'unlike'} the facts of ${environment.name} say`
    : ', and refused nowhere else';
  throw new Skipped(`${name} ${words[way]} is accepted${source}: the specification does not require a check`, 'open');
}

/** Whether an answer says that a changed header is refused. */
export function isRefused(answer: string): boolean {
  return /^(refused|tied)/.test(answer);
}

const words: Readonly<Record<HeaderChange['way'], string>> = {
  missing: 'missing',
  empty: 'empty',
  wrong: 'of a wrong value',
  another: 'of another user',
};

/** Operations that only read, so that anything may be tried on them. */
const reads = callableIds
  .filter((id) => callable(id).effect === 'read')
  .sort((a, b) => callable(a).row - callable(b).row);

/**
 * Where the service refuses a change that it accepts of one operation: `refused`; and whether that is `open` of some. A header of the
 * application's context stands in one operation alone, so the others of its kind count; one whose text has a form proves nothing of a free
 * text that is empty, and one free text that must not be empty, nothing of those that may.
 */
async function elsewhere(world: WorldBasis, change: HeaderChange) {
  const isOneOfMany = headers[change.header].kind === 'context' && change.way !== 'missing';
  const refused: CallableId[] = [];
  let [accepted, open] = [0, false];
  for (const { operation, question } of candidates(change)) {
    const answer = await world.facts.asked(question, operation);
    if (answer === undefined) open = true;
    else if (!isRefused(answer)) accepted++;
    else refused.push(operation);
    if (refused.length > 0 && !isOneOfMany) break;
  }
  const [first] = refused;
  return { refused: first && (!isOneOfMany || refused.length > accepted) ? first : undefined, open };
}

interface Candidate {
  readonly operation: CallableId;
  readonly question: string;
}

function candidates({ operation: { id }, header, way }: HeaderChange): Candidate[] {
  const ask = (operation: CallableId, other = header) => {
    const question = questionOf({ header: other, way });
    return question ? [{ operation, question }] : [];
  };
  if (headers[header].kind === 'context')
    return headersOf(id)
      .filter((other) => other !== header && headers[other].kind === 'context')
      .filter((other) => way === 'missing' || !('hasForm' in headers[other]))
      .flatMap((other) => ask(id, other));
  // That a header is there is asked of all; what it holds, by the credential beside it.
  const isOfToken = (each: CallableId) => headersOf(each).includes('authorization');
  const isPeer = (other: CallableId) => way === 'missing' || isOfToken(other) === isOfToken(id);
  return reads
    .filter((other) => other !== id && headersOf(other).includes(header) && isPeer(other))
    .flatMap((other) => ask(other));
}
