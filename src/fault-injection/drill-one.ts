import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type CataloguedFault, type Fault, startService, type Variant } from '../../reference-service/index.ts';
import { verdicts } from '../client/index.ts';
import { runScenario, type Scenario, type ScenarioResult } from '../runner/index.ts';
import { Contexts, runFolder } from '../scenario/index.ts';
import { isAlarm } from './detection.ts';
import { drillEnvironment } from './drill-environment.ts';
import type { DrillOutcome, Red } from './drilled.ts';
import { relevant } from './relevant-scenarios.ts';

export interface DrillContext {
  readonly scenarios: readonly Scenario[];
  /** Seed of the scenarios' data, so that two drills are the same. */
  readonly seed: string;
  readonly signal?: AbortSignal;
}

/** Each has a service of its own; much of the time they wait for lists that never change. */
const AT_ONCE = 6;

/** A list may lag behind in a correct reading, so there the wait is the usual one. */
const VARIANT_CONSISTENCY_MS = 2_000;

/** Switches on each change in turn, and runs every scenario that it could show in; `tell` hears of each as it ends. */
export async function drillHere(
  changes: readonly (CataloguedFault | Variant)[],
  context: DrillContext,
  tell: (name: string, outcome: DrillOutcome) => void,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < changes.length && !context.signal?.aborted) {
      const change = changes[next++] as CataloguedFault | Variant;
      const deadlines = 'kind' in change ? change.deadlines : { consistencyTimeoutMs: VARIANT_CONSISTENCY_MS };
      tell(change.name, await drillOne(change, deadlines, context));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function drillOne(
  change: Fault,
  deadlines: Parameters<typeof drillEnvironment>[1],
  { scenarios, seed, signal }: DrillContext,
): Promise<DrillOutcome> {
  const start = performance.now();
  const service = await startService({ port: 0, quiet: true });
  const contexts = new Contexts();
  // A fault of the wire may leave a connection behind that the next scenario would stumble over.
  const connections = 'kind' in change && change.kind === 'wire' ? {} : { contexts };
  try {
    service.faults.set(change);
    const environment = drillEnvironment(service, deadlines);
    const ran: string[] = [];
    const red: Red[] = [];
    const unproven: string[] = [];
    for (const scenario of relevant(scenarios, change.operation, 'kind' in change && change.kind === 'auth')) {
      if (signal?.aborted) break;
      // A run of its own each: credentials that a fault has refused are not given up for the next.
      const runId = randomUUID();
      const result = await runScenario(scenario, { environment, seed, runId, ...connections });
      rmSync(runFolder(runId), { recursive: true, force: true });
      if (result.unproven) unproven.push(result.title);
      if (!verdicts[result.verdict].ran) continue;
      ran.push(result.title);
      if (isAlarm(result)) red.push(asRed(result));
    }
    return { ran, red, unproven, durationMs: performance.now() - start };
  } finally {
    await contexts.dispose();
    await service.stop();
  }
}

function asRed({ title, verdict, grade, reason }: ScenarioResult): Red {
  return { title, verdict, ...(grade ? { grade } : {}), ...(reason ? { reason } : {}) };
}
