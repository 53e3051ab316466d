import { randomUUID } from 'node:crypto';
import { type Service, whileServing } from '../../reference-service/index.ts';
import { type RunOptions, runScenario, type Scenario, type ScenarioResult } from '../run/index.ts';
import { forgetRun, nodeTransports } from '../scenario/index.ts';
import { verdicts } from '../verdict/index.ts';
import { type DrillOutcome, isAlarm, type Red } from './outcome.ts';

interface Playing extends Pick<RunOptions, 'environment' | 'seed'> {
  /**
   * The id of one run to which all scenarios belong. If absent, each scenario is a separate run. Faults about credentials need separate
   * runs: a run doesn't send a refused credential again, so after the first refusal its other scenarios could send nothing.
   */
  readonly runId?: string;
  /** The kind of the fault. With `wire`, each scenario opens new connections, because a fault on the wire may leave a broken one behind. */
  readonly kind: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function playAll(scenarios: readonly Scenario[], playing: Playing): Promise<DrillOutcome> {
  const { environment, seed, kind, signal, runId } = playing;
  const [ran, unproven, skipped]: [string[], string[], string[]] = [[], [], []];
  const red: Red[] = [];
  const shared = kind === 'wire' ? undefined : nodeTransports();
  try {
    for (const scenario of scenarios) {
      if (signal?.aborted) break;
      const run = { environment, seed, ...(shared ? { transports: shared } : {}) };
      const result = await (runId ? runScenario(scenario, { ...run, runId }) : playAlone(scenario, run));
      const { title, verdict } = result;
      if (result.unproven) unproven.push(title);
      else if (!verdicts[verdict].ran) skipped.push(title);
      else ran.push(title);
      const { grade, reason } = result;
      if (isAlarm(result)) red.push({ title, verdict, grade, reason });
    }
    return { ran, red, unproven, skipped };
  } finally {
    if (runId) forgetRun(runId);
    await shared?.dispose();
  }
}

/** Plays a scenario as a separate run, which leaves nothing behind for others. */
export async function playAlone(scenario: Scenario, options: Omit<RunOptions, 'runId'>): Promise<ScenarioResult> {
  const runId = randomUUID();
  try {
    return await runScenario(scenario, { ...options, runId });
  } finally {
    forgetRun(runId);
  }
}

/** Runs `work` with a reference service on free ports. */
export function onReference<T>(work: (service: Service) => Promise<T>): Promise<T> {
  return whileServing({ port: 0, quiet: true }, work);
}
