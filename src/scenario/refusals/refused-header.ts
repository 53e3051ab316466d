import {
  type ApiResponse,
  type Claim,
  ExpectationError,
  inside,
  isNoEntries,
  judge,
  refusalKind,
  SuiteError,
  Unproven,
} from '../../client/index.ts';
import {
  type CallableId,
  callable,
  callableIds,
  harmless,
  headers,
  headersOf,
  type OperationId,
} from '../../spec/index.ts';
import { sampleArguments, type WorldWithData } from '../data/data-values.ts';
import { learnedText, noteOutcome, recall, withoutEntries } from '../data/memory.ts';
import { callByName } from '../data/world-basis.ts';
import { keepCommand } from '../readings/readings.ts';
import { Skipped } from '../specs/tags.ts';
import {
  changed,
  type HeaderChange,
  type HeaderOutcome,
  headerSubject,
  outcomesOf,
  questionOf,
} from './header-change.ts';

/**
 * Sends a call with a header changed; returns its refusal. Where it is accepted: a credential that isn't checked has failed, and
 * so has a header that the service is known to check, or checks elsewhere.
 * @throws Skipped where the service checks that header nowhere, which the specification leaves open; Unproven for another user's id.
 */
export async function refusedHeader(world: WorldWithData, change: HeaderChange, args: unknown): Promise<ApiResponse> {
  const call = await world.call();
  const { operation, header, way, claim } = change;
  const response = await (await changed(call(operation.id, args), change, world)).settles(claim);
  const { undo } = operation;
  // Accepted, it was done for the other user, and so is its undo.
  if (way === 'another' && undo && !response.isRefusal)
    world.defer(async () => (await changed(call(undo as CallableId, args), change, world)).settles());
  const { exchange } = inside(response);
  const fails = (because: Claim, and = '') => {
    const shortfall = judge(exchange, 'refusal', world.environment.successWhen, because);
    if (!shortfall) return undefined;
    return new ExpectationError(exchange, { ...shortfall, observed: shortfall.observed + and });
  };
  const failure = fails(claim);
  const isKnownEmpty =
    way === 'another' || recall(world.environment, withoutEntries(operation.id))?.refused !== undefined;
  if (isNoEntries(exchange) && isKnownEmpty)
    throw new Unproven(`${operation.title.toLowerCase()} is not found, which may mean that there it has no entries`);
  if (!failure) return response;
  const question = questionOf(change);
  // Neither accepted nor refused: not a possible reading.
  const isAccepted = judge(exchange, 'success', world.environment.successWhen) === undefined;
  if (question === undefined || !isAccepted) throw failure;
  const asked = { question, header, operation: operation.id };
  const known = world.readings.known(asked);
  if (known?.reading === 'refused')
    throw fails(`learned: ${headers[header].name} is checked here, by ${known.source}`) ?? failure;
  const subject = headerSubject(change);
  const before = recall(world.environment, subject);
  if (!known && before?.refused) {
    noteOutcome(world.environment, subject, 'accepted', exchange.startedAt);
    const history = learnedText(world.environment, recall(world.environment, subject) ?? before, 'refused', Date.now());
    throw fails(`learned: ${headers[header].name} ${words[way]} is refused here`, `, ${history}`) ?? failure;
  }
  const isOpen = known ?? world.readings.of(asked);
  const elsewhere = isOpen ? undefined : await refusedElsewhere(world, change);
  if (elsewhere) {
    const command = keepCommand(world.environment.name, [{ ...asked, reading: 'accepted' }]);
    throw fails(claim, `, though ${elsewhere}; if that is meant, \`${command}\` accepts it`) ?? failure;
  }
  world.readings.find({ ...asked, reading: 'accepted' });
  outcomesOf(world).add({ operation: operation.id, header, way, outcome: 'accepted' });
  // Nobody can say what the token is good for but the team.
  if (way === 'another' && !known)
    throw new Unproven(
      `a token is accepted beside the id of another user; if that is meant, \`${keepCommand(world.environment.name, [{ ...asked, reading: 'accepted' }])}\` keeps it as a fact`,
    );
  const source = known ? `, as ${known.source} has it` : ', and refused nowhere else';
  throw new Skipped(
    `${headers[header].name} ${words[way]} is accepted${source}: the specification does not require a check`,
    'open',
  );
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
 * Where the service refuses a change that it accepted of one operation, in words; `undefined` where it does nowhere that can be
 * tried without harm. What changes a state is no evidence: another user's request may be refused because they have nothing to
 * take back. A header of the application's context stands in one operation alone, so the others of its kind count; one whose
 * text has a form proves nothing of a free text that is empty, and one free text that must not be empty, nothing of those that may.
 */
async function refusedElsewhere(world: WorldWithData, change: HeaderChange): Promise<string | undefined> {
  const isOneOfMany = headers[change.header].kind === 'context' && change.way !== 'missing';
  const refused: Candidate[] = [];
  let accepted = 0;
  for (const candidate of candidates(change)) {
    const outcome = await outcomeOf(world, candidate);
    if (outcome === 'refused') refused.push(candidate);
    if (outcome === 'accepted') accepted++;
    if (outcome === 'refused' && !isOneOfMany) break;
  }
  const [first] = refused;
  return first && (!isOneOfMany || refused.length > accepted) ? inWords(first) : undefined;
}

/** The outcome of a change, in this run or tried now; `undefined` if unclear. */
async function outcomeOf(world: WorldWithData, candidate: Candidate): Promise<HeaderOutcome['outcome'] | undefined> {
  const { operation, header, way } = candidate;
  const isSame = (each: HeaderOutcome) => each.operation === operation && each.header === header && each.way === way;
  const earlier = outcomesOf(world).all().find(isSame)?.outcome;
  const outcome = earlier ?? (await tryHarmlessly(world, candidate));
  if (!earlier && outcome) outcomesOf(world).add({ ...candidate, outcome });
  return outcome;
}

type Candidate = Omit<HeaderOutcome, 'outcome'>;

function candidates({ operation: { id }, header, way }: HeaderChange): Candidate[] {
  if (headers[header].kind === 'context')
    return headersOf(id)
      .filter((other) => other !== header && headers[other].kind === 'context')
      .filter((other) => way === 'missing' || !('hasForm' in headers[other]))
      .map((other) => ({ operation: id, header: other, way }));
  // That a header is there is asked of all; what it holds, by the credential beside it.
  const isOfToken = (each: CallableId) => headersOf(each).includes('authorization');
  const isPeer = (other: CallableId) => way === 'missing' || isOfToken(other) === isOfToken(id);
  return [...reads, ...(Object.keys(harmless) as CallableId[])]
    .filter((other) => other !== id && headersOf(other).includes(header) && isPeer(other))
    .map((other) => ({ operation: other, header, way }));
}

/** The outcome of a change next to the same request unchanged; `undefined` if unclear. */
async function tryHarmlessly(world: WorldWithData, candidate: Candidate) {
  const { operation: id } = candidate;
  try {
    const call = callByName(await world.ownSession());
    const args = harmless[id as OperationId]?.(world.data.text()) ?? (await sampleArguments(world, id));
    const spoiled = await (await changed(call(id, args), candidate, world)).isDecided();
    if (!spoiled.isRefusal) return 'accepted';
    // A list of somebody else may have no entries, and some services don't find one then.
    if (isNoEntries(inside(spoiled).exchange)) return undefined;
    const valid = await call(id, args).isDecided();
    const rule = world.environment.successWhen;
    const [a, b] = [valid, spoiled].map((response) => refusalKind(inside(response).exchange, rule));
    return valid.isRefusal && a === b ? undefined : 'refused';
  } catch (error) {
    // A problem of another operation is not an outcome.
    if (error instanceof SuiteError) return undefined;
    throw error;
  }
}

function inWords({ operation: id, header, way }: Candidate): string {
  return `${id} is refused with ${header} ${way === 'another' ? 'of another user' : way}`;
}
