import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { Lab } from '../experiment-runner.ts';
import { Undecided } from '../fact.ts';
import { variedArguments } from '../varied-arguments.ts';
import type { Experiment } from './experiment.ts';

/** Enough for a field that was always there to be a required one, the first of another status left out. */
const SAMPLES = 25;
/** What can't be taken back from anybody's real data is done no more often than it must. */
const LASTING_SAMPLES = 2;

/** Sends varied valid requests; the statuses of the accepted ones, in the order in which they were first seen. */
export const successStatus: Experiment = {
  questions: () => ['success-status'],
  run: async (lab, { id, effect }) => {
    const isLasting = effect === 'irreversible' && !lab.isDisposable;
    const seen = await sample(lab, id, isLasting ? LASTING_SAMPLES : SAMPLES);
    const statuses = seen.map(({ answer }) => answer?.status);
    return { answer: [...new Set(statuses)].join(', '), seen };
  },
};

async function sample(lab: Lab, id: CallableId, count: number): Promise<Exchange[]> {
  const accepted = [await lab.control(id)];
  const seen: Exchange[] = [];
  for await (const args of variedArguments(lab, id, count - 1)) {
    const exchange = await lab.send(id, args);
    seen.push(exchange);
    if (lab.outcome(id, exchange).kind !== 'refused') accepted.push(exchange);
  }
  const unclear = accepted.find(({ answer }) => !answer || answer.status >= 300);
  if (unclear) throw new Undecided(`valid requests came out differently: ${unclear.answer?.status}`, [unclear]);
  return accepted;
}
