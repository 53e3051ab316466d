import { counted } from '../../environment/index.ts';
import type { Log } from '../../safety/index.ts';
import { runLog } from '../../scenario/index.ts';

/** A control of a refusal that was accepted: which operation's, and what it cost for good. */
export interface Control {
  readonly operation: string;
  /** The used-up resource, with its article: `a stored item`. */
  readonly usedUp?: string;
  readonly repeats?: true;
}

export function controlLog(runId: string, environment: string): Log<Control> {
  return runLog(runId, environment, 'controls');
}

/** One line on items, clones and reports that the controls of a run used up; none where there are none, or where users and items are disposable. */
export function usedUpLines(environment: string, controls: readonly Control[]): string[] {
  const usedUp = Map.groupBy(
    controls.flatMap((control) => control.usedUp ?? []),
    (what) => what,
  );
  if (usedUp.size === 0) return [];
  const parts = [...usedUp].map(([what, times]) => `${what} (${counted(times.length, 'time')})`);
  return [`${environment}: used up to show that refusals prove something: ${parts.join(', ')}`];
}
