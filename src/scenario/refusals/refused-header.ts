import { type ApiResponse, type Claim, ExpectationError, inside, judge, Unproven } from '../../client/index.ts';
import { headers } from '../../spec/index.ts';
import { learnedText, noteOutcome, recall } from '../data/memory.ts';
import { type Finding, keyLines } from '../readings/readings.ts';
import { Skipped } from '../specs/skip.ts';
import { changed, type HeaderChange, headerSubject, questionOf, type RefusalsWorld } from './header-change.ts';
import { refusedElsewhere } from './refused-elsewhere.ts';

/**
 * Sends a call with a header changed; returns its refusal. Where it is accepted: a credential that isn't checked has failed, and
 * so has a header that the service is known to check, or checks elsewhere.
 * @throws Skipped where the service checks that header nowhere, which the specification leaves open; Unproven for another user's id.
 */
export async function refusedHeader(tools: RefusalsWorld, change: HeaderChange, args: unknown): Promise<ApiResponse> {
  const { world, call } = tools;
  const { operation, header, way, claim } = change;
  const response = await (await changed(call(operation.id, args), change, world)).settles(claim);
  const { exchange } = inside(response);
  const fails = (because: Claim, and = '') => {
    const shortfall = judge(exchange, 'refusal', world.environment.successWhen, because);
    if (!shortfall) return undefined;
    return new ExpectationError(exchange, { ...shortfall, observed: shortfall.observed + and });
  };
  const failure = fails(claim);
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
  const elsewhere = isOpen ? undefined : await refusedElsewhere(tools, change);
  if (elsewhere) {
    const earlier = world.runLog<Finding>('found').all();
    const [line] = keyLines([...earlier.filter((found) => found.header), { ...asked, reading: 'accepted' }]);
    throw fails(claim, `, though ${elsewhere}; if that is meant, ${line} accepts it`) ?? failure;
  }
  world.readings.find({ ...asked, reading: 'accepted' });
  tools.outcomes.add({ operation: operation.id, header, way, outcome: 'accepted' });
  // Nobody can say what the token is good for but the team.
  if (way === 'another' && !known)
    throw new Unproven(
      `a token is accepted beside the id of another user; if that is meant, ${keyLines([{ ...asked, reading: 'accepted' }])[0]} says so`,
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
