import { Answer } from '../../client/index.ts';
import { Undecided } from '../fact.ts';
import { oneQuestion } from './experiment.ts';

/** Whether a key that nobody defined gives the very default that was sent; asked three times, with different ones. */
export const defaultFallback = oneQuestion('default-fallback', ['evaluate'], async (lab, { id }) => {
  const seen = [];
  let given = 0;
  for (let index = 0; index < 3; index++) {
    const fallback = lab.world.data.id();
    const body = { key: lab.world.data.id(), default: fallback, contextData: lab.world.data.context() };
    const exchange = await lab.control(id, body);
    seen.push(exchange);
    if (new Answer(exchange, new Set()).mentions(fallback)) given++;
  }
  if (given !== 0 && given !== seen.length)
    throw new Undecided(`${given} of ${seen.length} answers held the default`, seen);
  return { answer: given === 0 ? 'the default is not in the answer' : 'the default, unchanged', seen };
});
