import { randomUUID } from 'node:crypto';
import { verdicts } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { type RunOptions, runScenario, type Scenario, type ScenarioResult } from '../runner/index.ts';
import { forgetRun, nodeTransports, type Transports } from '../scenario/index.ts';
import { isAlarm } from './detection.ts';
import type { DrillOutcome, Red } from './drilled.ts';
import { symptomOfExchange } from './symptom.ts';

interface Playing {
  readonly environment: Environment;
  readonly seed: string;
  /** Of all scenarios; absent: a separate run each, so that credentials rejected by one fault are still used for the next. */
  readonly runId?: string;
  /** The kind of the fault: one of the wire may leave a broken connection behind, which must not affect the next scenario. */
  readonly kind: string | undefined;
  /** Creates connections; default: Node's. */
  readonly transports?: (() => Transports) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Plays scenarios on one service, one after the other. */
export async function playAll(scenarios: readonly Scenario[], playing: Playing): Promise<DrillOutcome> {
  const { environment, seed, kind, transports: connect = nodeTransports, signal, runId } = playing;
  const [ran, unproven, skipped]: [string[], string[], string[]] = [[], [], []];
  const red: Red[] = [];
  const shared = kind === 'wire' ? undefined : connect();
  try {
    for (const scenario of scenarios) {
      if (signal?.aborted) break;
      const transports = shared ?? connect();
      const run = { environment, seed, transports };
      const result = await (runId ? runScenario(scenario, { ...run, runId }) : playAlone(scenario, run));
      if (!shared) await transports.dispose();
      const { title, verdict } = result;
      if (result.unproven) unproven.push(title);
      else if (!verdicts[verdict].ran) skipped.push(title);
      else ran.push(title);
      if (isAlarm(result)) red.push(asRed(result));
    }
    return { ran, red, unproven, skipped };
  } finally {
    if (runId) forgetRun(runId);
    await shared?.dispose();
  }
}

/** Plays a scenario as a run of its own, which leaves nothing behind for others. */
export async function playAlone(scenario: Scenario, options: Omit<RunOptions, 'runId'>): Promise<ScenarioResult> {
  const runId = randomUUID();
  try {
    return await runScenario(scenario, { ...options, runId });
  } finally {
    forgetRun(runId);
  }
}

function asRed({ title, verdict, grade, reason, failing }: ScenarioResult): Red {
  const symptom = failing && symptomOfExchange(failing);
  return { title, verdict, grade, reason, symptom, operation: failing?.operation };
}
