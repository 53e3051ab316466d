import type { Environment } from '../../config/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
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

export const unknownThings: readonly Experiment[] = [
  oneQuestion('unknown-user', ['block', 'unblock'], naming('friendId', inItsForm)),
  oneQuestion(
    'unknown-user',
    ['readProfile'],
    pathTo('userId', ({ caller }) => caller.userId),
  ),
  oneQuestion(
    'unknown-item',
    ['deleteItem'],
    pathTo('id', ({ data }) => data.storedItemIds[0]),
  ),
  oneQuestion('unknown-story', ['love', 'unlove', 'report'], naming('storyId', inItsForm)),
  oneQuestion(
    'unknown-code',
    ['report'],
    naming('reports', () => ['SEXTANT_INVENTED']),
  ),
];
