import type { Exchange } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../experiment-runner.ts';
import { Undecided } from '../fact.ts';
import type { Samples } from '../samples.ts';
import { variedArguments } from '../varied-arguments.ts';
import type { Experiment } from './experiment.ts';

/** Enough for a field that was always there to be a required one, the first of another status left out. */
const SAMPLES = 25;
/** What can't be taken back from anybody's real data is done no more often than it must. */
const LASTING_SAMPLES = 2;

/**
 * Sends varied valid requests; the statuses of all accepted ones so far, those of the scenarios before included, in the
 * order in which they were first seen.
 */
export function successStatus(samples: Samples): Experiment {
  return {
    questions: () => ['success-status'],
    run: async (runner, { id, effect }) => {
      const isLasting = effect === 'irreversible' && !runner.isDisposable;
      const seen = await sample(runner, id, isLasting ? LASTING_SAMPLES : SAMPLES);
      const statuses = [...samples.of(id)]
        .filter(([kind]) => /^2\d\d$/.test(kind))
        .sort(([, a], [, b]) => a.firstAt - b.firstAt)
        .map(([kind]) => kind);
      const isHalfSeen = id === 'saveAvatar' && statuses.length === 1 && !runner.isDisposable;
      return { answer: `${statuses.join(', ')}${isHalfSeen ? HALF_SEEN : ''}`, seen };
    },
  };
}

/** Nobody can say whether somebody's avatar was there before, and none can be taken away. */
const HALF_SEEN = '; whether the first save of an avatar differs was not seen';

async function sample(runner: ExperimentRunner, id: CallableId, count: number): Promise<Exchange[]> {
  const accepted = [await runner.control(id)];
  const seen: Exchange[] = [];
  for await (const args of variedArguments(runner, id, count - 1)) {
    const exchange = await runner.send(id, args);
    seen.push(exchange);
    if (runner.outcome(id, exchange).kind !== 'refused') accepted.push(exchange);
  }
  const unclear = accepted.find(({ response }) => !response || response.status >= 300);
  if (unclear) throw new Undecided(`valid requests came out differently: ${unclear.response?.status}`, [unclear]);
  return accepted;
}
