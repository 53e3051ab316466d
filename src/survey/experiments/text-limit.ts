import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { Undecided } from '../facts/fact.ts';
import { requestFields } from './bodies.ts';
import { type Experiment, subjectOf, withControl } from './experiment.ts';

/** No real message is longer; the size of a whole body is another question. */
const CAP = 10_000;

export const textLimit: Experiment = {
  questions: (entry) =>
    requestFields(entry)
      .filter(({ isFreeText }) => isFreeText)
      .map(({ name }) => `text-limit:${name}`),
  run: async (runner, { id }, question) => {
    const field = subjectOf(question);
    await withControl(runner, id);
    const seen: Exchange[] = [];
    let status = 0;
    const start = String(((await runner.valid(id)) as Record<string, unknown>)[field]);
    const isAccepted = async (length: number) => {
      const exchange = await sendOfLength(runner, id, field, length);
      const outcome = runner.outcome(id, exchange);
      if (outcome.kind === 'unclear') throw new Undecided(`${length} characters: ${outcome.why}`, [exchange]);
      if (outcome.kind === 'refused') status = outcome.status;
      seen.push(exchange);
      return outcome.kind === 'accepted';
    };
    if (!(await isAccepted(start.length)))
      throw new Undecided(`${start.length} characters were refused with ${status}`, seen);
    const limit = await largestAccepted(start.length, CAP, isAccepted);
    const answer = limit === undefined ? `none up to ${CAP} characters` : `${limit} characters, else ${status}`;
    return { answer, seen };
  },
};

export async function sendOfLength(
  runner: ExperimentRunner,
  id: CallableId,
  field: string,
  length: number,
): Promise<Exchange> {
  const valid = (await runner.valid(id)) as Readonly<Record<string, unknown>>;
  return runner.send(id, { ...valid, [field]: String(valid[field]).padEnd(length, 'a').slice(0, length) });
}

/**
 * The largest accepted length from `low`, which is accepted, to `cap`; `undefined` if `cap` is accepted. Needs about
 * as many requests as the cap has binary digits.
 */
export async function largestAccepted(
  low: number,
  cap: number,
  isAccepted: (length: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await isAccepted(cap)) return undefined;
  let [accepted, refused] = [low, cap];
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1;
    if (await isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
