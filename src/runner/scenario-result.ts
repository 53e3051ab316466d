import { inspect } from 'node:util';
import {
  ApiResponse,
  type Exchange,
  ExpectationError,
  excerpt,
  type Grade,
  gradeOf,
  inside,
  isExpectError,
  isThrownBySpec,
  judge,
  lineText,
  type Phases,
  phaseNames,
  type SpecLine,
  SpecMistake,
  SuiteError,
  SuiteFault,
  specLineOf,
  threwError,
  UnjudgedCall,
  Unproven,
  type Verdict,
  verdictOfBroken,
  verdictOfCategory,
  verdicts,
} from '../client/index.ts';
import { type Cause, causesOf, type FailedTest, failureOfReason, NoItemLeft } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';
import { isOutOfTime, outOfTime, type Unreached } from './time-limits.ts';

export interface ScenarioResult extends RunVerdict {
  readonly title: string;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  readonly file: string;
  /** Problems that don't change the verdict: a certificate that expires soon, a failed clean-up. */
  readonly warnings?: readonly string[];
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly curl?: string;
  readonly exchanges: readonly Exchange[];
}

/** Why the suite could not judge what Ctrl-C ended, or did not let begin. */
export const STOPPED = 'the run was stopped';

type Told = Pick<ScenarioResult, 'title' | 'verdict' | 'reason' | 'failing'>;

/** The causes of all that fell short or could not be judged in one environment, the gravest first. */
export function causesOfResults(environment: string, results: readonly Told[]): Cause[] {
  return causesOf(
    results.flatMap(({ title, verdict, reason = '', failing }): FailedTest[] => {
      const { ran, exitCode } = verdicts[verdict];
      if (!ran || exitCode === 0) return [];
      return [{ ...failureOfReason(verdict, reason, failing), environment, title }];
    }),
  );
}

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

/** The verdict on many scenarios: the most severe. Without a scenario that ran it is `unknown`: a pass must prove something. */
export function overallVerdict(all: readonly Verdict[]): Verdict {
  const [worst] = [...all].sort((a, b) => verdicts[b].severity - verdicts[a].severity);
  return worst === undefined || !verdicts[worst].ran ? 'unknown' : worst;
}

/** 0 all passed or slow · 1 the service fell short · 3 could not judge. (2 is usage or configuration.) */
export function exitCode(verdict: Verdict): 0 | 1 | 3 {
  return verdicts[verdict].exitCode;
}

export interface RunVerdict {
  readonly verdict: Verdict;
  /** The grade of the expectation that broke; absent when none did. */
  readonly grade?: Grade;
  /** Why it isn't simply passed, in one line. */
  readonly reason?: string;
  readonly failing?: Exchange;
  /** It was left out because nothing could be proved by it: a refusal beside no acceptance. */
  readonly unproven?: true;
  /** The environment's test data is used up. */
  readonly lacksData?: true;
  /** The run's time was up first. */
  readonly unreached?: Unreached;
  /** The component other than the service that failed and prevented the run. */
  readonly fault?: 'provisioner';
}

/** The verdict on a scenario: from what it threw (`undefined` when all held) and from the exchanges it made. */
export function verdictOf(
  error: unknown,
  exchanges: readonly Exchange[],
  slowAfterMs: number,
  declaredAt?: SpecLine,
): RunVerdict {
  if (error === undefined) return pace(exchanges, slowAfterMs);
  if (error instanceof ExpectationError) {
    const { category, grade, claim, observed, exchange } = error;
    return {
      verdict: verdictOfCategory(category),
      grade,
      reason: `${claim} — ${excerpt(observed, 300)}`,
      failing: exchange,
    };
  }
  if (isExpectError(error)) {
    const [claim = ''] = error.message.split('\n');
    const { actual, message } = error.matcherResult;
    if (actual instanceof ApiResponse && inside(actual).lacksEvidence)
      return stated(new Unproven(message.split('\n')[0] ?? ''));
    const failing = actual instanceof ApiResponse ? inside(actual).exchange : exchanges.at(-1);
    const grade = gradeOf(claim) ?? 'assumed';
    return {
      verdict: verdictOfBroken(grade),
      grade,
      reason: `${excerpt(claim, 300)} — ${excerpt(message.split('\n')[0] ?? '', 300)}`,
      ...(failing ? { failing } : {}),
    };
  }
  if (error instanceof SpecMistake) {
    const mistakes = error.at(declaredAt).message.split('\n');
    return { verdict: 'unknown', reason: mistakes.map((each) => excerpt(each, 700)).join(' · ') };
  }
  if (error instanceof UnjudgedCall) return { verdict: 'unknown', reason: excerpt(error.message, 700) };
  if (error instanceof SuiteError) return stated(error);
  const isError = error instanceof Error;
  const line = isError ? specLineOf(error.stack) : declaredAt;
  // The suite throws errors alone.
  if (!isError || isThrownBySpec(error.stack))
    return verdictOf(threwError(textOf(error), line), exchanges, 0, declaredAt);
  const at = line ? `, at ${lineText(line)}` : '';
  return { verdict: 'unknown', reason: couldNotJudge(`a bug in Sextant${at}: ${textOf(error)}`) };
}

/**
 * The verdict on a scenario that was stopped by the user, at the end of the run's time, or (with `usedUp`) by a limit. A
 * failure found before still counts, and that nothing was answered. Slow calls never use up a limit, so the stop itself says nothing
 * about the service.
 */
export function verdictOfStopped(
  error: unknown,
  exchanges: readonly Exchange[],
  { usedUp, signal }: { readonly usedUp?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): RunVerdict {
  if (error instanceof ExpectationError && error.exchange.failure?.code !== 'ABORTED')
    return verdictOf(error, exchanges, Number.POSITIVE_INFINITY);
  if (usedUp === undefined && isOutOfTime(signal)) {
    // A scenario may go on after a call that had no response in all of its time.
    const waited = exchanges.find(({ failure }) => failure?.code === 'DEADLINE');
    const shortfall = waited && !exchanges.some(({ response }) => response) && judge(waited, 'success');
    if (!shortfall) return outOfTime('cut short');
    return verdictOf(new ExpectationError(waited, shortfall), exchanges, Number.POSITIVE_INFINITY);
  }
  if (usedUp === undefined) return { verdict: 'unknown', reason: STOPPED };
  return { verdict: 'unknown', reason: `the suite could not judge: the scenario had not ended after ${usedUp}` };
}

function pace(exchanges: readonly Exchange[], slowAfterMs: number): RunVerdict {
  // An address that swallows packets is the network's, and not the service's slowness.
  const ownMs = ({ durationMs, silentAddresses }: Exchange) => durationMs - (silentAddresses?.ms ?? 0);
  const [slowest] = exchanges.toSorted((a, b) => ownMs(b) - ownMs(a));
  if (!slowest || ownMs(slowest) <= slowAfterMs) return { verdict: 'passed' };
  return {
    verdict: 'slow',
    reason: `${slowest.operation} took ${Math.round(ownMs(slowest))} ms, more than SLOW_AFTER_MS=${slowAfterMs}`,
  };
}

function stated(error: SuiteError): RunVerdict {
  const verdict = verdictOfCategory(error.category);
  const { ran, exitCode } = verdicts[verdict];
  if (!ran) return { verdict, reason: error.message, ...(error.category === 'unproven' ? { unproven: true } : {}) };
  // The calls before it showed that the service falls short: a credential was refused in them.
  if (exitCode === 1) return { verdict, grade: 'assumed', reason: excerpt(error.message, 300) };
  const fault = error instanceof SuiteFault && error.outside ? { fault: error.outside } : {};
  const lacksData = error instanceof NoItemLeft ? { lacksData: true as const } : {};
  return { verdict, reason: couldNotJudge(error.message), ...fault, ...lacksData };
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : inspect(error);
}

function couldNotJudge(why: string): string {
  return `the suite could not judge: ${excerpt(why, 300)}`;
}
