import { cameOut, type Experiment, oneQuestion, withComparison } from './experiment.ts';

type Body = Readonly<Record<string, unknown>>;

/** A valid request with an invented id. */
const naming =
  (field: string, wrap: (id: string) => unknown = (id) => id): Experiment['run'] =>
  async (runner, { id }) => {
    await withComparison(runner, id);
    const body = (await runner.valid(id)) as Body;
    return cameOut(runner, id, await runner.send(id, { ...body, [field]: wrap(runner.world.data.id()) }));
  };

/** A path with an invented id. */
const pathTo =
  (parameter: string): Experiment['run'] =>
  async (runner, { id }) =>
    cameOut(runner, id, await runner.send(id, { [parameter]: runner.world.data.id() }));

export const unknownThings: readonly Experiment[] = [
  oneQuestion('unknown-user', ['block', 'unblock'], naming('friendId')),
  oneQuestion('unknown-user', ['readProfile'], pathTo('userId')),
  oneQuestion('unknown-item', ['deleteItem'], pathTo('id')),
  oneQuestion('unknown-story', ['love', 'unlove', 'report'], naming('storyId')),
  oneQuestion(
    'unknown-code',
    ['report'],
    naming('reports', () => ['SEXTANT_INVENTED']),
  ),
];
