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
  /** Where it is declared there, from 1. */
  readonly line?: number;
  /** Problems that don't change the verdict: a certificate that expires soon, a failed clean-up. */
  readonly warnings?: readonly string[];
  readonly notes?: readonly Note[];
  /** The steps that its spec doesn't ask for, in order: clearing, reading, repeating, putting back. */
  readonly steps?: readonly ScenarioStep[];
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly curl?: string;
  /** The keys of the credentials that were accepted in it. */
  readonly accepted?: readonly string[];
  /** The operations that accepted a request as the specification shows it. */
  readonly acceptedOperations?: readonly CallableId[];
  readonly exchanges: readonly Exchange[];
  /** Absent if nothing was sent under its id; `url` leads to it in the team's viewer. */
  readonly trace?: { readonly id: string; readonly url?: string };
}

export interface RunVerdict {
  readonly verdict: Verdict;
  /** The grade of the expectation that broke; absent when none did. */
  readonly grade?: Grade;
  /** Why it isn't simply passed, in one line. */
  readonly reason?: string;
  readonly failing?: Exchange;
  /** Everything that kept it from passing, the one that decided the verdict first; those of its clean-up last. */
  readonly failures?: readonly Failure[];
  /** It was skipped because it could prove nothing: a refusal without an accepted control. */
  readonly unproven?: true;
  /** It failed in quarantine, and counts as skipped. */
  readonly quarantined?: true;
  /** It failed, and its last day in quarantine has passed; in words. */
  readonly quarantineOver?: string;
  /** A need outside of the service that is not met. */
  readonly lacks?: SuiteError['lacks'];
  /** The run's time was up first. */
  readonly unreached?: Unreached;
}

/** Why the suite could not judge what Ctrl-C ended, or did not let begin. */
export const STOPPED = 'the run was stopped';

/** The last status of a run and its phases summed over its calls; empty without calls. */
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

/** The operations that failed, and changes that were accepted without effect. One that drifted works, though otherwise than before. */
export function failingOperations({ failures = [] }: Pick<RunVerdict, 'failures'>): Failing[] {
  return failures.flatMap((failure) => {
    const { verdict, call, unseen, ending, isInvalid } = failure;
    if (verdict === 'drifted') return [];
    const found = [call?.operation, unseen?.change, unseen?.list].filter((each) => each !== undefined);
    const isJudged = call?.status !== undefined && !unseen && (isInvalid || ending === undefined || ending === ACCEPTS);
    return found.map((operation) => ({ operation, ...(isJudged ? { isJudged } : {}) }));
  });
}

/** Whether nothing happened but that it was not tried, for what had failed before. */
export function isNotTried({ failures: [first, ...others] = [] }: Pick<RunVerdict, 'failures'>): boolean {
  return first?.merely === 'not tried' && others.every(({ merely }) => merely);
}

/** The verdict on many scenarios: the most severe. Without a scenario that ran it is `unknown`: a pass must prove something. */
export function overallVerdict(all: readonly Verdict[]): Verdict {
  const [worst] = [...all].sort((a, b) => verdicts[b].severity - verdicts[a].severity);
  return worst === undefined || !verdicts[worst].ran ? 'unknown' : worst;
}

export function exitCode(verdict: Verdict): number {
  return verdicts[verdict].exitCode;
}
