import { verdicts } from '../../client/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { needsConfirmation } from '../status/evidence.ts';

/** One run: the attempt that is the indicator, and the one that confirmed or cleared it. */
export interface ProbeResult {
  readonly first: ScenarioResult;
  readonly second?: ScenarioResult;
}

export interface ProbingTools {
  /** One attempt, in the scenario's queue. */
  readonly attempt: () => Promise<ScenarioResult>;
  /** Nobody needs to hear twice: what is known to be down isn't confirmed again. */
  readonly isKnownDown: boolean;
  readonly waitToConfirm: () => Promise<void>;
  /** How often the machine slept or its calendar jumped so far. */
  readonly pauses: () => number;
  readonly whyCutOff: (since: number) => Promise<string | undefined>;
  /** Monotonic, in ms. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Runs a scenario, and a second time after a while when it was red. */
export async function runProbe(tools: ProbingTools): Promise<ProbeResult> {
  const first = await soberly(tools);
  if (!needsConfirmation(first) || tools.isKnownDown) return { first };
  await tools.waitToConfirm();
  // Nobody was there to confirm it: the run is left out when the monitor ends meanwhile.
  if (tools.signal.aborted) return { first: unjudged(first, 'the monitor was ended before it could be confirmed') };
  return { first, second: await soberly(tools) };
}

/** An attempt that proves something: not one through which the machine slept, nor one of a machine without network. */
async function soberly({ attempt, pauses, whyCutOff, now }: ProbingTools): Promise<ScenarioResult> {
  const before = pauses();
  const since = now();
  const result = await attempt();
  if (!needsConfirmation(result)) return result;
  if (pauses() !== before) return unjudged(result, 'this machine slept, or its clock was set, during the run');
  const reason = verdicts[result.verdict].fellShort === 'connection' ? await whyCutOff(since) : undefined;
  return reason ? unjudged(result, reason) : result;
}

function unjudged({ grade: _, ...result }: ScenarioResult, why: string): ScenarioResult {
  return { ...result, verdict: 'unknown', reason: `the suite could not judge: ${why}` };
}
