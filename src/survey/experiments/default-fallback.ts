import type { Exchange } from '../../client/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { mentions } from '../asking/look.ts';
import { Undecided } from '../facts/fact.ts';
import { oneQuestion } from './experiment.ts';

const TRIALS = 3;

/**
 * Whether an undefined key returns the default that was sent; asked three times with different defaults. If
 * an existing flag is known, its response must not contain the default: a service that echoes requests always contains it.
 */
export const defaultFallback = oneQuestion('default-fallback', ['evaluate'], async (runner) => {
  const seen: Exchange[] = [];
  let given = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const { exchange, isGiven } = await evaluate(runner, runner.world.data.id());
    seen.push(exchange);
    if (isGiven) given++;
  }
  if (given !== 0 && given !== TRIALS)
    throw new Undecided(`${given} of ${TRIALS} responses contained the default`, seen);
  const { flagKey } = runner.environment.data;
  if (given > 0 && flagKey) {
    const { exchange, isGiven } = await evaluate(runner, flagKey);
    if (isGiven)
      throw new Undecided('the response for an existing flag contains the default as well', [...seen, exchange]);
  }
  return { answer: given === 0 ? 'the default is not in the response' : 'the default, unchanged', seen };
});

async function evaluate(runner: ExperimentRunner, key: string): Promise<{ exchange: Exchange; isGiven: boolean }> {
  const fallback = runner.world.data.id();
  const exchange = await runner.control('evaluate', {
    key,
    default: fallback,
    contextData: runner.world.data.context(),
  });
  return { exchange, isGiven: mentions(exchange, fallback) };
}
