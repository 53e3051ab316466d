import { type Health, verdicts } from '../../client/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import type { Evidence } from './status.ts';

/** One attempt at a scenario, as far as judging needs it. */
type Attempt = Pick<ScenarioResult, 'verdict' | 'unproven' | 'lacksData'>;

/** The health that one run shows: its second attempt, if any, confirms or clears the first. */
export function healthOfRun(first: Attempt, second?: Attempt): Health {
  return verdicts[(second ?? first).verdict].health;
}

/** Whether the environment no longer has what the scenario needs; that nothing could be proved is not that. */
export function couldNotRun({ verdict, unproven, lacksData }: Attempt): boolean {
  return lacksData === true || (!verdicts[verdict].ran && !unproven);
}

/** What one run shows of a scenario's state. */
export function evidenceOf(first: Attempt, second?: Attempt): Evidence {
  const last = second ?? first;
  if (couldNotRun(last)) return 'skipped';
  return last.unproven ? 'unproven' : healthOfRun(first, second);
}

/** The service-level indicator: only the first attempt counts. `undefined` if it was not judged. What is bad must be confirmed before anybody is alerted. */
export function indicatorOf(first: Attempt): 'good' | 'bad' | undefined {
  const { health } = verdicts[first.verdict];
  if (health === 'unknown') return undefined;
  return health === 'down' ? 'bad' : 'good';
}

/** Whether the first attempt failed and the second passed. */
export function passedOnRetry(first: Attempt, second?: Attempt): boolean {
  return second !== undefined && indicatorOf(first) === 'bad' && indicatorOf(second) === 'good';
}
