import { type Grade, type Health, type Verdict, verdicts } from '../../client/index.ts';

/** One try of a scenario, as far as judging needs it. */
export interface Attempt {
  readonly verdict: Verdict;
  readonly grade?: Grade;
  /** One line; absent when it simply passed. */
  readonly reason?: string;
}

/** What one run says of the service: its second attempt, if there was one, confirms or clears the first. */
export function healthOfRun(first: Attempt, second?: Attempt): Health {
  return verdicts[(second ?? first).verdict].health;
}

/** A red that nobody may hear of before a second attempt says the same. */
export function needsConfirmation(first: Attempt): boolean {
  return verdicts[first.verdict].health === 'down';
}

/** The first attempt is the service-level indicator: a retry that passed doesn't make it good. Nothing judged: none. */
export function indicatorOf(first: Attempt): 'good' | 'bad' | undefined {
  const { health } = verdicts[first.verdict];
  if (health === 'unknown') return undefined;
  return health === 'down' ? 'bad' : 'good';
}

/** Red at first, well at the second attempt. */
export function passedOnRetry(first: Attempt, second?: Attempt): boolean {
  return second !== undefined && needsConfirmation(first) && indicatorOf(second) === 'good';
}
