import type { CataloguedFault } from '../../../reference-service/index.ts';
import { verdicts } from '../../client/index.ts';
import type { Spread } from './drill-spread.ts';
import type { TaskOutcome } from './played.ts';
import { rowFor, rowName, spread } from './readings.ts';

/** Why a fault survives where a scenario that proves nothing says so. */
export const UNPROVEN = 'its scenario proves nothing there';

/** A fault on a row of readings, and what caught it there. */
export interface SpreadResult {
  readonly fault: CataloguedFault;
  /** The readings, in words. */
  readonly on: string;
  readonly row: number;
  readonly caughtBy: readonly string[];
  /** Why nothing caught it; absent where something did. */
  readonly why?: 'it is not seen' | 'its scenario fails without it' | typeof UNPROVEN;
}

/**
 * The detections of each fault: scenarios that fail with it and pass without it. A scenario that is red on the readings alone, or unproven
 * there, catches nothing.
 */
export function spreadResults({ alone, withFault }: Spread, faults: readonly CataloguedFault[]): SpreadResult[] {
  return withFault.flatMap((outcome): SpreadResult[] => {
    const fault = faults.find(({ name }) => name === outcome.task.fault);
    const before = alone.find(({ task }) => task.row === outcome.task.row);
    if (!fault || !before) return [];
    const { row } = outcome.task;
    const on = rowName(rowFor(fault, spread[row] ?? {}));
    const already = new Set(before.red.map(({ title }) => title));
    const detecting = outcome.red.filter(({ verdict }) => verdicts[verdict].detects).map(({ title }) => title);
    const caughtBy = detecting.filter((title) => !already.has(title));
    return [{ fault, on, row, caughtBy, ...(caughtBy.length > 0 ? {} : { why: whyNot(outcome, detecting) }) }];
  });
}

function whyNot({ unproven }: TaskOutcome, detecting: readonly string[]): NonNullable<SpreadResult['why']> {
  if (detecting.length > 0) return 'its scenario fails without it';
  return unproven.length > 0 ? UNPROVEN : 'it is not seen';
}
