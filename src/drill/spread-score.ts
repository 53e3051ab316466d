import type { CataloguedFault } from '../../reference-service/index.ts';
import { verdicts } from '../verdict/index.ts';
import type { TaskOutcome } from './outcome.ts';
import { rowFor, rowName, spread as rows } from './readings.ts';

/** Why no scenario caught a fault: the scenario that would detect the fault proves nothing on a service with these readings. */
const UNPROVEN = 'its scenario proves nothing there';

export interface SpreadResult {
  readonly fault: CataloguedFault;
  readonly on: string;
  readonly row: number;
  readonly caughtBy: readonly string[];
  readonly why?: 'it is not seen' | 'its scenario fails without it' | typeof UNPROVEN;
}

/**
 * For each fault, the scenarios that catch it: they fail on a service with the fault, and don't fail on the same service without the fault.
 */
export function spreadResults(outcomes: readonly TaskOutcome[], faults: readonly CataloguedFault[]): SpreadResult[] {
  return outcomes.flatMap((outcome): SpreadResult[] => {
    const { change, row = 0 } = outcome.task;
    const fault = faults.find(({ name }) => name === change);
    const before = aloneIn(outcomes).find(({ task }) => task.row === row);
    if (!fault || !before) return [];
    const on = rowName(rowFor(fault, rows[row] ?? {}));
    const already = new Set(before.red.map(({ title }) => title));
    const detecting = outcome.red.filter(({ verdict }) => verdicts[verdict].detects).map(({ title }) => title);
    const caughtBy = detecting.filter((title) => !already.has(title));
    return [{ fault, on, row, caughtBy, ...(caughtBy.length > 0 ? {} : { why: whyNot(outcome, detecting) }) }];
  });
}

/** The outcomes of the tasks without a fault. */
export function aloneIn(outcomes: readonly TaskOutcome[]): TaskOutcome[] {
  return outcomes.filter(({ task }) => task.change === undefined);
}

function whyNot({ unproven }: TaskOutcome, detecting: readonly string[]): NonNullable<SpreadResult['why']> {
  if (detecting.length > 0) return 'its scenario fails without it';
  return unproven.length > 0 ? UNPROVEN : 'it is not seen';
}

export function problemsOfSpread(outcomes: readonly TaskOutcome[], results: readonly SpreadResult[]): string[] {
  const alarms = aloneIn(outcomes).flatMap(({ task, red }) => {
    const [first] = red;
    if (!first) return [];
    const on = rowName(rows[task.row ?? 0] ?? {});
    const what = `"${first.title}" is ${first.verdict}${red.length > 1 ? `, and ${red.length - 1} more failed,` : ''}`;
    return [`${what} on a correct service (${on}): ${first.reason ?? 'no reason'}`];
  });
  // Unproven faults are no problem here, because every summary lists them.
  const survivors = results.filter(
    ({ fault, why }) => why !== undefined && why !== UNPROVEN && fault.grade === 'documented',
  );
  return [...alarms, ...survivors.map(({ fault, on, why }) => `${fault.name} is not caught (${why}) on ${on}`)];
}
