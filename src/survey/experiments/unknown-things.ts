import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { Question } from '../asking/question.ts';
import { mentions } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { among, type Experiment, oneQuestion, spoilt } from './experiment.ts';

const inItsForm = ({ runner }: Question, known: unknown) => runner.world.data.idLike(String(known ?? ''));

const naming = (field: string, unknown: (question: Question, known: unknown) => unknown = inItsForm) =>
  spoilt((body, question) => ({ ...body, [field]: unknown(question, body[field]) }));

const unknown = (what: string, ids: readonly CallableId[], run: Experiment['run']) =>
  oneQuestion(`unknown-${what}`, among(...ids), run, 'once more');

export const unknownThings: readonly Experiment[] = [
  unknown('user', ['block', 'unblock'], naming('friendId')),
  unknown('user', ['readProfile'], (question) =>
    question.sendInvalid({ userId: inItsForm(question, question.runner.environment.caller.userId) }),
  ),
  unknown('item', ['deleteItem'], (question) =>
    question.sendInvalid({ id: inItsForm(question, question.runner.environment.data.storedItemIds[0]) }),
  ),
  unknown('story', ['love', 'unlove', 'report'], naming('storyId')),
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
const fallback: Experiment['run'] = async (question) => {
  const { environment, world } = question.runner;
  const evaluate = async (key: string) => {
    const sent = world.data.id();
    const exchange = await question.control({ key, default: sent, contextData: world.data.context() });
    return { exchange, isGiven: mentions(exchange, sent) };
  };
  const seen: Exchange[] = [];
  let given = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const { exchange, isGiven } = await evaluate(world.data.id());
    seen.push(exchange);
    if (isGiven) given++;
  }
  if (given !== 0 && given !== TRIALS)
    throw new Undecided(`${given} of ${TRIALS} responses contained the default`, seen);
  const { flagKey } = environment.data;
  if (given > 0 && flagKey) {
    const { exchange, isGiven } = await evaluate(flagKey);
    if (isGiven)
      throw new Undecided('the response for an existing flag contains the default as well', [...seen, exchange]);
  }
  return { answer: given === 0 ? 'the default is not in the response' : 'the default, unchanged', seen };
};

export const defaultFallback = oneQuestion('default-fallback', among('evaluate'), fallback, 'once more');
