import { inside, refusalKind, SuiteError } from '../../client/index.ts';
import {
  type CallableId,
  callable,
  callableIds,
  harmless,
  headers,
  headersOf,
  type OperationId,
} from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import { sampleArguments } from '../data/sample-arguments.ts';
import { changed, type HeaderChange, type HeaderOutcome, type RefusalsWorld } from './header-change.ts';

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
export async function refusedElsewhere(tools: RefusalsWorld, change: HeaderChange): Promise<string | undefined> {
  const isOneOfMany = headers[change.header].kind === 'context' && change.way !== 'missing';
  const refused: Candidate[] = [];
  let accepted = 0;
  for (const candidate of candidates(change)) {
    const outcome = await outcomeOf(tools, candidate);
    if (outcome === 'refused') refused.push(candidate);
    if (outcome === 'accepted') accepted++;
    if (outcome === 'refused' && !isOneOfMany) break;
  }
  const [first] = refused;
  return first && (!isOneOfMany || refused.length > accepted) ? inWords(first) : undefined;
}

/** The outcome of a change, in this run or tried now; `undefined` if unclear. */
async function outcomeOf(tools: RefusalsWorld, candidate: Candidate): Promise<HeaderOutcome['outcome'] | undefined> {
  const { operation, header, way } = candidate;
  const isSame = (each: HeaderOutcome) => each.operation === operation && each.header === header && each.way === way;
  const earlier = tools.outcomes.all().find(isSame)?.outcome;
  const outcome = earlier ?? (await tryHarmlessly(tools, candidate));
  if (!earlier && outcome) tools.outcomes.add({ ...candidate, outcome });
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
async function tryHarmlessly(
  tools: RefusalsWorld,
  candidate: Candidate,
): Promise<HeaderOutcome['outcome'] | undefined> {
  const { world } = tools;
  const { operation: id } = candidate;
  try {
    const call = callByName(await world.ownSession());
    const args = harmless[id as OperationId]?.(world.data.text()) ?? (await sampleArguments(world, id));
    const spoiled = await (await changed(call(id, args), candidate, world)).isDecided();
    if (!spoiled.isRefusal) return 'accepted';
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
