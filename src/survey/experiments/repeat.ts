import type { CallableId } from '../../spec/index.ts';
import type { Control, ExperimentRunner } from '../asking/experiment-runner.ts';
import { cameOut, oneQuestion } from './experiment.ts';

const repeatable = ['block', 'unblock', 'love', 'unlove', 'deleteItem', 'saveAvatar', 'cloneType'] as const;

/** The same request twice; the outcome of the second. */
export const repeat = oneQuestion('repeat', repeatable, async (runner, { id }) => {
  const { exchange: first, args } = await firstOf(runner, id);
  const second = await runner.send(id, args);
  return { answer: cameOut(runner, id, second).answer, seen: [first, second] };
});

/** A stored item was deleted for another question already; a second one isn't worth it. */
async function firstOf(runner: ExperimentRunner, id: CallableId): Promise<Control> {
  const earlier = id === 'deleteItem' && !runner.isDisposable ? runner.lastControl(id) : undefined;
  if (earlier) return earlier;
  const args = await runner.valid(id);
  return { args, exchange: await runner.control(id, args) };
}
