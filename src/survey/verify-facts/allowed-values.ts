import { sendValue } from '../experiments/allowed-values.ts';
import { cameOut, subjectOf, withControl } from '../experiments/experiment.ts';
import type { Finding } from '../fact.ts';
import type { Probe } from './probe.ts';

/** Sends the first accepted value, and the first refused one. */
export const allowedValues: Probe = async (runner, { id }, { question, answer }) => {
  await withControl(runner, id);
  const [, accepted = '', refused = ''] =
    /^(?:all that were tried: |none that was tried)?(.*?)(?:; not (.*))?$/.exec(answer) ?? [];
  let last: Finding | undefined;
  for (const [list, isRight] of [
    [accepted, (found: string) => found === 'accepted'],
    [refused, (found: string) => found.startsWith('refused')],
  ] as const) {
    const [value] = JSON.parse(`[${list}]`) as (string | number)[];
    if (value === undefined) continue;
    last = cameOut(runner, id, await sendValue(runner, id, subjectOf(question), value));
    if (!isRight(last.answer)) return { ...last, answer: `${JSON.stringify(value)} is ${last.answer}` };
  }
  return { answer, seen: last?.seen ?? [] };
};
