import type { LearnedFact } from '../../client/index.ts';
import type { ExperimentRunner } from '../experiment-runner.ts';
import type { OperationEntry } from '../experiments/index.ts';
import type { Finding } from '../fact.ts';

/**
 * Looks whether a fact is still so, with fewer requests than it took to find it: the finding's answer is the fact's own, or
 * what is so instead.
 */
export type Probe = (runner: ExperimentRunner, entry: OperationEntry, fact: LearnedFact) => Promise<Finding>;
