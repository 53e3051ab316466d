import { cameOut, subjectOf, withControl } from '../experiments/experiment.ts';
import { sendOfLength } from '../experiments/text-limit.ts';
import type { Probe } from './probe.ts';

/** Sends the longest accepted text, and one that is longer by one character. */
export const textLimit: Probe = async (runner, { id }, { question, answer }) => {
  await withControl(runner, id);
  const [, limit = '', otherwise] = /^(?:none up to )?(\d+) characters(?:, else (\d+))?$/.exec(answer) ?? [];
  const send = async (length: number) =>
    cameOut(runner, id, await sendOfLength(runner, id, subjectOf(question), length));
  const longest = await send(Number(limit));
  if (longest.answer !== 'accepted' || otherwise === undefined)
    return { ...longest, answer: longest.answer === 'accepted' ? answer : `${limit} characters ${longest.answer}` };
  const longer = await send(Number(limit) + 1);
  const isHeld = longer.answer === `refused with ${otherwise}`;
  return { answer: isHeld ? answer : `${Number(limit) + 1} characters ${longer.answer}`, seen: longer.seen };
};
