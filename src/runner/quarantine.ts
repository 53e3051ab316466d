import { verdicts } from '../client/index.ts';
import { overText, type Quarantined, quarantineOf, quarantineText } from '../scenario/index.ts';
import type { ScenarioResult } from './scenario-result.ts';

/** A result as it counts under the quarantine list; `now` in ms. */
export function afterQuarantine(
  result: ScenarioResult,
  entries: readonly Quarantined[],
  environment: string,
  now: number,
): ScenarioResult {
  const found = quarantineOf(entries, environment, result.title, now);
  const { ran, exitCode } = verdicts[result.verdict];
  if (!found || !ran) return result;
  const { entry, isOver } = found;
  if (exitCode !== 0 && isOver) return { ...result, reason: `${result.reason}; ${overText(entry)}` };
  if (exitCode !== 0)
    return { ...result, verdict: 'skipped', reason: `${quarantineText(entry)} — ${result.verdict}: ${result.reason}` };
  if (isOver) return { ...result, verdict: 'unknown', reason: `it passed, but ${overText(entry)}` };
  return { ...result, warnings: [...(result.warnings ?? []), `passed, though ${quarantineText(entry)}`] };
}
