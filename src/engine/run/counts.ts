import { type Verdict, verdicts } from '../../client/index.ts';

/** A verdict as test counts show it: a service that fell short counts as failed, in whichever way it did. */
export type Outcome = 'passed' | 'failed' | 'unknown' | 'skipped';

export function outcomeOfVerdict(verdict: Verdict): Outcome {
  const { ran, exitCode } = verdicts[verdict];
  if (!ran) return 'skipped';
  return exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'unknown';
}

interface Counted {
  readonly verdict: Verdict;
  readonly unproven?: true;
  readonly quarantined?: true;
  readonly flaky?: unknown;
}

/** By outcome; some of the skipped are unproven or in quarantine, some of the passed flaky. */
export type Counts = Readonly<Record<Outcome | 'unproven' | 'flaky' | 'quarantined', number>>;

/** The counts of a run, in either runner. */
export function countsOf(all: readonly Counted[]): Counts {
  const of = (is: (each: Counted) => unknown) => all.filter((each) => is(each)).length;
  const ended = (wanted: Outcome) => of(({ verdict }) => outcomeOfVerdict(verdict) === wanted);
  return {
    ...{ passed: ended('passed'), failed: ended('failed'), unknown: ended('unknown'), skipped: ended('skipped') },
    unproven: of(({ unproven }) => unproven),
    flaky: of(({ flaky }) => flaky),
    quarantined: of(({ quarantined }) => quarantined),
  };
}
