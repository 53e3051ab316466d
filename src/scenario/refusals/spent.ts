import { counted } from '../../config/index.ts';
import { type RunLog, runLog } from '../state/run-log.ts';
import type { Control } from './refusals-world.ts';

/** The controls of a run in an environment. */
export function controlLog(runId: string, environment: string): RunLog<Control> {
  return runLog(runId, environment, 'controls');
}

/** What the controls of a run used up for good, in one line; none where that is nothing, or users and items are disposable. */
export function spentLines(environment: string, controls: readonly Control[]): string[] {
  const spent = Map.groupBy(
    controls.flatMap((control) => control.spent ?? []),
    (what) => what,
  );
  if (spent.size === 0) return [];
  const parts = [...spent].map(([what, times]) => `${what} (${counted(times.length, 'time')})`);
  return [`${environment}: used up to show that refusals prove something: ${parts.join(', ')}`];
}
