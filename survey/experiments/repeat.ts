import { Undecided } from '../fact.ts';
import { cameOut, oneQuestion } from './experiment.ts';

const repeatable = ['block', 'unblock', 'love', 'unlove', 'deleteItem', 'saveAvatar', 'cloneType'] as const;

/** The very same request twice; the second one's outcome. */
export const repeat = oneQuestion('repeat', repeatable, async (lab, { id }) => {
  const args = await lab.valid(id);
  const first = await lab.control(id, args);
  const second = await lab.send(id, args);
  if (id === 'deleteItem' && lab.outcome(id, second).kind === 'accepted' && !lab.isDisposable)
    throw new Undecided('the second was accepted, and nobody knows whether the first had its effect', [first, second]);
  return { answer: cameOut(lab, id, second).answer, seen: [first, second] };
});
