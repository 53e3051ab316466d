import { counted } from '../../environment/index.ts';
import { type Verdict, verdicts } from '../../verdict/index.ts';

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

/** The requests that the service saw, and the attempts that never had a connection. */
export interface Traffic {
  readonly requests: number;
  readonly unconnected: number;
}

export function trafficOf(calls: readonly { readonly unconnected?: true }[]): Traffic {
  const unconnected = calls.filter((call) => call.unconnected).length;
  return { requests: calls.length - unconnected, unconnected };
}

/** `1,234 requests`; `0 requests, 14 attempts without a connection`. */
export function trafficText({ requests, unconnected }: Traffic): string {
  const attempts = `, ${counted(unconnected, 'attempt')} without a connection`;
  return `${requests.toLocaleString('en')} request${requests === 1 ? '' : 's'}${unconnected > 0 ? attempts : ''}`;
}
