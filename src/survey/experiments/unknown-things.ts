import type { Exchange } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { mentions } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { cameOut, type Experiment, oneQuestion, withComparison } from './experiment.ts';

type Body = Readonly<Record<string, unknown>>;

/** A valid request with another value. */
const naming =
  (field: string, unknown: (runner: ExperimentRunner, known: unknown) => unknown): Experiment['run'] =>
  async (runner, { id }) => {
    await withComparison(runner, id);
    const body = (await runner.valid(id)) as Body;
    return cameOut(runner, id, await runner.send(id, { ...body, [field]: unknown(runner, body[field]) }));
  };

const pathTo =
  (parameter: string, known: (environment: Environment) => string | undefined): Experiment['run'] =>
  async (runner, { id }) =>
    cameOut(runner, id, await runner.send(id, { [parameter]: runner.world.data.idLike(known(runner.environment)) }));

const inItsForm = ({ world }: ExperimentRunner, known: unknown) => world.data.idLike(String(known));

const unknown = (what: string, ids: readonly CallableId[], run: Experiment['run']) =>
  oneQuestion(`unknown-${what}`, ids, run, 'once more');

export const unknownThings: readonly Experiment[] = [
  unknown('user', ['block', 'unblock'], naming('friendId', inItsForm)),
  unknown(
    'user',
    ['readProfile'],
    pathTo('userId', ({ caller }) => caller.userId),
  ),
  unknown(
    'item',
    ['deleteItem'],
    pathTo('id', ({ data }) => data.storedItemIds[0]),
  ),
  unknown('story', ['love', 'unlove', 'report'], naming('storyId', inItsForm)),
  unknown(
    'code',
    ['report'],
    naming('reports', () => ['SEXTANT_INVENTED']),
  ),
];

const TRIALS = 3;

/**
 * Whether an undefined key returns the default that was sent; asked three times with different defaults. If
 * an existing flag is known, its response must not contain the default: a service that echoes requests always contains it.
 */
const fallback: Experiment['run'] = async (runner) => {
  const seen: Exchange[] = [];
  let given = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const { exchange, isGiven } = await evaluate(runner, runner.world.data.id());
    seen.push(exchange);
    if (isGiven) given++;
  }
  if (given !== 0 && given !== TRIALS)
    throw new Undecided(`${given} of ${TRIALS} responses contained the default`, seen);
  const { flagKey } = runner.environment.data;
  if (given > 0 && flagKey) {
    const { exchange, isGiven } = await evaluate(runner, flagKey);
    if (isGiven)
      throw new Undecided('the response for an existing flag contains the default as well', [...seen, exchange]);
  }
  return { answer: given === 0 ? 'the default is not in the response' : 'the default, unchanged', seen };
};

export const defaultFallback = oneQuestion('default-fallback', ['evaluate'], fallback, 'once more');

async function evaluate(runner: ExperimentRunner, key: string): Promise<{ exchange: Exchange; isGiven: boolean }> {
  const sent = runner.world.data.id();
  const exchange = await runner.control('evaluate', {
    key,
    default: sent,
    contextData: runner.world.data.context(),
  });
  return { exchange, isGiven: mentions(exchange, sent) };
}
