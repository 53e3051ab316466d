import { commitOf, SEED_VARIABLE, type Shard, shardOfRun } from '../scenario/index.ts';

/** The options that chose the tests of a run, as `sextant test` was given them. */
export const SELECTION_VARIABLE = 'SEXTANT_SELECTION';

/** The environments of a run, comma-separated: a shard may have no test of one of them. */
export const TESTED_VARIABLE = 'SEXTANT_TESTED';

/** What a run is, so that the parts of one run can be recognised. */
export interface RunIdentity {
  readonly seed: string;
  /** The commit under test; `null` if unknown. */
  readonly commit: string | null;
  /** The options that chose its tests. */
  readonly selection: string;
  /** `null`: the whole run. */
  readonly shard: Shard | null;
  /** ISO. */
  readonly startedAt: string;
  /** Playwright's status of the run. */
  readonly status: 'passed' | 'failed' | 'timedout' | 'interrupted';
  /** The number of errors outside the tests. */
  readonly errors: number;
}

/** The identity of the run in this process, which is about to end. */
export function identityOf(ending: Pick<RunIdentity, 'status' | 'errors'> & { readonly startTime: Date }): RunIdentity {
  const { status, errors, startTime } = ending;
  return {
    seed: process.env[SEED_VARIABLE] ?? '',
    commit: commitOf() ?? null,
    selection: process.env[SELECTION_VARIABLE] ?? '',
    shard: shardOfRun() ?? null,
    startedAt: startTime.toISOString(),
    status,
    errors,
  };
}
