import { verdicts } from '../../client/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { needsConfirmation } from '../status/run-health.ts';

/** One run: the first attempt, which is the service-level indicator, and the second, which confirmed or cleared a failure. */
export interface ProbeResult {
  readonly first: ScenarioResult;
  readonly second?: ScenarioResult;
}

export interface ProbingTools {
  /** One attempt, in the scenario's queue. */
  readonly attempt: () => Promise<ScenarioResult>;
  /** Already down: a failure needs no confirmation. */
  readonly isKnownDown: boolean;
  readonly waitToConfirm: () => Promise<void>;
  /** How often the machine was suspended, or its clock changed, so far. */
  readonly pauses: () => number;
  readonly whyCutOff: (since: number) => Promise<string | undefined>;
  /** Monotonic, in ms. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Runs a scenario, and runs it again after a wait when it failed. */
export async function runProbe(tools: ProbingTools): Promise<ProbeResult> {
  const first = await guardedAttempt(tools);
  if (!needsConfirmation(first) || tools.isKnownDown) return { first };
  await tools.waitToConfirm();
  // The monitor is stopping: an unconfirmed failure doesn't count.
  if (tools.signal.aborted)
    return { first: unjudged(first, 'the monitor stopped before the failure could be confirmed') };
  return { first, second: await guardedAttempt(tools) };
}

/** An attempt whose failure counts only if the machine was awake and online. */
async function guardedAttempt({ attempt, pauses, whyCutOff, now }: ProbingTools): Promise<ScenarioResult> {
  const before = pauses();
  const since = now();
  const result = await attempt();
  if (!needsConfirmation(result)) return result;
  if (pauses() !== before) return unjudged(result, 'this machine was suspended, or its clock changed, during the run');
  const reason = verdicts[result.verdict].fellShort === 'connection' ? await whyCutOff(since) : undefined;
  return reason ? unjudged(result, reason) : result;
}

function unjudged({ grade: _, ...result }: ScenarioResult, why: string): ScenarioResult {
  return { ...result, verdict: 'unknown', reason: `the suite could not judge: ${why}` };
}
