import type { LearnedFact } from '../../client/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import type { OperationEntry } from '../experiments/index.ts';
import type { Finding } from '../facts/fact.ts';

/**
 * Checks whether a fact still holds, with fewer requests than finding it took: returns the fact's answer, or
 * the new one.
 */
export type Probe = (runner: ExperimentRunner, entry: OperationEntry, fact: LearnedFact) => Promise<Finding>;
