import type { CallableId } from '../../spec/index.ts';
import type { Control, ExperimentRunner } from '../experiment-runner.ts';
import { cameOut, oneQuestion } from './experiment.ts';

const repeatable = ['block', 'unblock', 'love', 'unlove', 'deleteItem', 'saveAvatar', 'cloneType'] as const;

/** The very same request twice; the second one's outcome. */
export const repeat = oneQuestion('repeat', repeatable, async (runner, { id }) => {
  const { exchange: first, args } = await firstOf(runner, id);
  const second = await runner.send(id, args);
  return { answer: cameOut(runner, id, second).answer, seen: [first, second] };
});

/** Somebody's stored item was deleted for another question already; it isn't worth a second one. */
async function firstOf(runner: ExperimentRunner, id: CallableId): Promise<Control> {
  const earlier = id === 'deleteItem' && !runner.isDisposable ? runner.lastControl(id) : undefined;
  if (earlier) return earlier;
  const args = await runner.valid(id);
  return { args, exchange: await runner.control(id, args) };
}
