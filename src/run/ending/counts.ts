import { counted, grouped } from '../../environment/index.ts';
import { gravestFirst, type Verdict, verdicts } from '../../verdict/index.ts';

/** The group in which counts of tests put a verdict. Every verdict that blames the service (exit code 1) counts as failed. */
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

/** Numbers of tests. `skipped` includes the unproven and the quarantined tests, `passed` includes the flaky ones. */
export type Counts = Readonly<Record<Outcome | 'unproven' | 'flaky' | 'quarantined', number>>;

/** Counts the tests of a run in either runner. */
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

/** A text such as `2 failed, 13 passed, 4 skipped (1 of them unproven), 1 warning`, with the gravest verdict first. */
export function countsText(all: readonly (Counted & { readonly unreached?: unknown })[], warnings: number): string {
  const { unproven } = countsOf(all);
  const unreached = all.filter((each) => each.unreached).length;
  const skips = [
    ...(unproven > 0 ? [`${unproven} of them unproven`] : []),
    ...(unreached > 0 ? [`no time left for ${unreached}`] : []),
  ];
  const byVerdict = Map.groupBy(all, ({ verdict }) => verdict);
  const parts = gravestFirst.flatMap((verdict) => {
    const ofThem = verdict === 'skipped' && skips.length > 0 ? ` (${skips.join('; ')})` : '';
    const count = byVerdict.get(verdict)?.length;
    return count ? `${count} ${verdict}${ofThem}` : [];
  });
  return [...parts, ...(warnings > 0 ? [counted(warnings, 'warning')] : [])].join(', ');
}

/** The number of requests that were sent, and of attempts that never got a connection. */
export interface Traffic {
  readonly requests: number;
  readonly unconnected: number;
}

export function trafficOf(calls: readonly { readonly unconnected?: true }[]): Traffic {
  const unconnected = calls.filter((call) => call.unconnected).length;
  return { requests: calls.length - unconnected, unconnected };
}

/** A text such as `1,234 requests`, or `0 requests, 14 attempts without a connection`. */
export function trafficText({ requests, unconnected }: Traffic): string {
  const attempts = `, ${counted(unconnected, 'attempt')} without a connection`;
  return `${grouped(requests)} request${requests === 1 ? '' : 's'}${unconnected > 0 ? attempts : ''}`;
}
