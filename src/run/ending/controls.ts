import { counted } from '../../environment/index.ts';
import type { Log } from '../../safety/index.ts';
import { runLog } from '../../scenario/index.ts';

/** A control that the service accepted. A control is a valid request that shows that the refusal of an invalid one means something. */
export interface Control {
  readonly operation: string;
  /** The resource that the control used up for good, with its article: `a stored item`. */
  readonly usedUp?: string;
  readonly repeats?: true;
}

export function controlLog(runId: string, environment: string): Log<Control> {
  return runLog(runId, environment, 'controls');
}

/**
 * One line about the items, clones and reports that a run used up for good to prove that refusals mean something. Empty if nothing was used
 * up, or if users and items are disposable.
 */
export function usedUpLines(environment: string, controls: readonly Control[]): string[] {
  const usedUp = Map.groupBy(
    controls.flatMap((control) => control.usedUp ?? []),
    (what) => what,
  );
  if (usedUp.size === 0) return [];
  const parts = [...usedUp].map(([what, times]) => `${what} (${counted(times.length, 'time')})`);
  return [`${environment}: used up by the valid requests that refusals are compared with: ${parts.join(', ')}`];
}
