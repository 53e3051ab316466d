import { type Exchange, type Phases, phaseNames } from '../../http/index.ts';
import type { Failing } from '../../scenario/index.ts';
import type { AreaId, CallableId, Effect } from '../../service/index.ts';
import {
  ACCEPTS,
  type Failure,
  type Grade,
  type Note,
  type ScenarioStep,
  type SuiteError,
  type Verdict,
  verdicts,
} from '../../verdict/index.ts';
import type { Unreached } from './time-limits.ts';

/** The result of a scenario, in either runner. */
export interface ScenarioResult extends RunVerdict {
  readonly title: string;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  readonly file: string;
  /** The line of the scenario in `file`. The first line is 1. */
  readonly line?: number;
  /** Problems that don't change the verdict: a certificate that expires soon, a failed clean-up. */
  readonly warnings?: readonly string[];
  readonly notes?: readonly Note[];
  /** The steps that the suite added to those of the spec, in order: clear, read, repeat, restore. */
  readonly steps?: readonly ScenarioStep[];
  /** When the scenario started, as epoch time in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly curl?: string;
  /** The keys of the credentials that the service accepted in the scenario. */
  readonly accepted?: readonly string[];
  /** The operations that accepted a documented request at least once in the scenario. */
  readonly acceptedOperations?: readonly CallableId[];
  readonly exchanges: readonly Exchange[];
  /**
   * The scenario's trace. Absent if its id was sent neither to the service nor to a collector. `url` opens the trace in the team's viewer.
   */
  readonly trace?: { readonly id: string; readonly url?: string };
}

export interface RunVerdict {
  readonly verdict: Verdict;
  /** The grade of the broken expectation. Absent if no expectation broke. */
  readonly grade?: Grade;
  /** Why the scenario didn't simply pass, in one line. */
  readonly reason?: string;
  readonly failing?: Exchange;
  /** All failures of the scenario: the failure that decided the verdict comes first, those of clean-up come last. */
  readonly failures?: readonly Failure[];
  /** True if the scenario was skipped because its result would prove nothing, for example if the service refuses valid requests, too. */
  readonly unproven?: true;
  /** True if the scenario failed in quarantine, so it counts as skipped. */
  readonly quarantined?: true;
  /** Text about a quarantine that has ended. Present if the scenario failed after the last day of its quarantine. */
  readonly quarantineOver?: string;
  /** The kind of thing that the scenario lacks: test data, or users from the provisioner. */
  readonly lacks?: SuiteError['lacks'];
  /** Present if the run's time was up before the scenario had a verdict: how far the scenario got. */
  readonly unreached?: Unreached;
}

/** The reason of scenarios that Ctrl-C stopped or kept from beginning. */
export const STOPPED = 'the run was stopped';

/** The status of the last response in a scenario, and the time in ms that all its calls spent in each phase. Empty without calls. */
export function phaseSums(exchanges: readonly Exchange[]): { status?: number; phases?: Phases } {
  const status = exchanges.findLast(({ response }) => response)?.response?.status;
  const sums: Phases = {};
  for (const name of phaseNames) {
    const all = exchanges.flatMap(({ phases }) => phases[name] ?? []);
    if (all.length > 0) sums[name] = Number(all.reduce((sum, ms) => sum + ms).toFixed(3));
  }
  return {
    ...(status === undefined ? {} : { status }),
    ...(exchanges.length > 0 ? { phases: sums } : {}),
  };
}

/**
 * The operations that failed, and the changes that the service accepted without effect. Drift is left out, because the operation still
 * works, only differently.
 */
export function failingOperations({ failures = [] }: Pick<RunVerdict, 'failures'>): Failing[] {
  return failures.flatMap((failure) => {
    const { verdict, call, unseen, ending, isInvalid } = failure;
    if (verdict === 'drifted') return [];
    const found = [call?.operation, unseen?.change, unseen?.list].filter((each) => each !== undefined);
    const isJudged = call?.status !== undefined && !unseen && (isInvalid || ending === undefined || ending === ACCEPTS);
    return found.map((operation) => ({ operation, ...(isJudged ? { isJudged } : {}) }));
  });
}

/** Whether a scenario was not tried because of an earlier failure. The scenario may have further failures, but only in its clean-up. */
export function isNotTried({ failures: [first, ...others] = [] }: Pick<RunVerdict, 'failures'>): boolean {
  return first?.merely === 'not tried' && others.every(({ merely }) => merely);
}

/** The verdict on several scenarios: the most severe one. If no scenario ran, it is `unknown`, because a pass must prove something. */
export function overallVerdict(all: readonly Verdict[]): Verdict {
  const [worst] = [...all].sort((a, b) => verdicts[b].severity - verdicts[a].severity);
  return worst === undefined || !verdicts[worst].ran ? 'unknown' : worst;
}

export function exitCode(verdict: Verdict): number {
  return verdicts[verdict].exitCode;
}
