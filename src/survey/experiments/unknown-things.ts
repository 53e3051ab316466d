import { cameOut, type Experiment, oneQuestion, withControl } from './experiment.ts';

type Body = Readonly<Record<string, unknown>>;

/** A valid request that names something nobody has. */
const naming =
  (field: string, wrap: (id: string) => unknown = (id) => id): Experiment['run'] =>
  async (lab, { id }) => {
    await withControl(lab, id);
    const body = (await lab.valid(id)) as Body;
    return cameOut(lab, id, await lab.send(id, { ...body, [field]: wrap(lab.world.data.id()) }));
  };

export const unknownThings: readonly Experiment[] = [
  oneQuestion('unknown-user', ['block', 'unblock'], naming('friendId')),
  oneQuestion('unknown-story', ['love', 'unlove', 'report'], naming('storyId')),
  oneQuestion(
    'unknown-code',
    ['report'],
    naming('reports', () => ['SEXTANT_INVENTED']),
  ),
];
