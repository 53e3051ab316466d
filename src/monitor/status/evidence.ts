import type { Grade, Verdict } from '../../client/index.ts';

/** One try of a scenario, as far as judging needs it. */
export interface Attempt {
  readonly verdict: Verdict;
  readonly grade?: Grade;
  /** One line; absent when it simply passed. */
  readonly reason?: string;
}

/** What one run says of the service: its second attempt, if there was one, confirms or clears the first. */
export type Evidence = 'up' | 'degraded' | 'down' | 'unknown';

const byVerdict: Readonly<Record<Verdict, Evidence>> = {
  passed: 'up',
  slow: 'degraded',
  drifted: 'degraded',
  failed: 'down',
  refused: 'down',
  unreachable: 'down',
  unknown: 'unknown',
  skipped: 'unknown',
};

export function evidenceOf(first: Attempt, second?: Attempt): Evidence {
  return byVerdict[(second ?? first).verdict];
}

/** A red that nobody may hear of before a second attempt says the same. */
export function needsConfirmation(first: Attempt): boolean {
  return byVerdict[first.verdict] === 'down';
}

/** The first attempt is the service-level indicator: a retry that passed doesn't make it good. Nothing judged: none. */
export function indicatorOf(first: Attempt): 'good' | 'bad' | undefined {
  const evidence = byVerdict[first.verdict];
  if (evidence === 'unknown') return undefined;
  return evidence === 'down' ? 'bad' : 'good';
}

/** Red at first, well at the second attempt. */
export function passedOnRetry(first: Attempt, second?: Attempt): boolean {
  return second !== undefined && needsConfirmation(first) && ['up', 'degraded'].includes(byVerdict[second.verdict]);
}
