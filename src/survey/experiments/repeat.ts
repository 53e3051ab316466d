import type { CallableId } from '../../spec/index.ts';
import type { Control, Lab } from '../experiment-runner.ts';
import { cameOut, oneQuestion } from './experiment.ts';

const repeatable = ['block', 'unblock', 'love', 'unlove', 'deleteItem', 'saveAvatar', 'cloneType'] as const;

/** The very same request twice; the second one's outcome. */
export const repeat = oneQuestion('repeat', repeatable, async (lab, { id }) => {
  const { exchange: first, args } = await firstOf(lab, id);
  const second = await lab.send(id, args);
  return { answer: cameOut(lab, id, second).answer, seen: [first, second] };
});

/** Somebody's stored item was deleted for another question already; it isn't worth a second one. */
async function firstOf(lab: Lab, id: CallableId): Promise<Control> {
  const earlier = id === 'deleteItem' && !lab.isDisposable ? lab.lastControl(id) : undefined;
  if (earlier) return earlier;
  const args = await lab.valid(id);
  return { args, exchange: await lab.control(id, args) };
}
