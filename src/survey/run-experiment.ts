import { SuiteFault } from '../client/index.ts';
import { Skipped } from '../scenario/index.ts';
import type { ExperimentRunner } from './asking/experiment-runner.ts';
import { NoResponse } from './asking/patient-sender.ts';
import { evidenceOf, type Fact, UNDECIDED, Undecided } from './facts/fact.ts';
import type { Task } from './task-plan.ts';

/**
 * Runs one experiment. A question that can't be asked here (not allowed, no data) is undecided, with the reason. `isShaky`: there
 * was no response, perhaps because the service is going down.
 * @throws SurveyEnded
 */
export async function ask(
  runner: ExperimentRunner,
  { entry, question, experiment }: Task,
  now: Date,
): Promise<{ fact: Fact; isShaky: boolean }> {
  const base = { operation: entry.id, question, observedAt: now.toISOString() };
  try {
    const { answer, seen, samples = seen.length } = await experiment.run(runner, entry, question);
    return { fact: { ...base, answer, samples, evidence: evidenceOf(seen) }, isShaky: false };
  } catch (error) {
    if (error instanceof Undecided) {
      const { message: tried, seen } = error;
      const fact = { ...base, answer: UNDECIDED, tried, samples: seen.length, evidence: evidenceOf(seen) };
      return { fact, isShaky: error instanceof NoResponse };
    }
    if (!(error instanceof Skipped || error instanceof SuiteFault)) throw error;
    return { fact: { ...base, answer: UNDECIDED, tried: error.message, samples: 0, evidence: [] }, isShaky: false };
  }
}
