import { randomUUID } from 'node:crypto';
import {
  type CataloguedFault,
  type Fault,
  type Service,
  type Variant,
  whileServing,
} from '../../reference-service/index.ts';
import { verdicts } from '../client/index.ts';
import { fileRoles, remove } from '../config/files/index.ts';
import { runScenario, type Scenario, type ScenarioResult } from '../runner/index.ts';
import { nodeTransports, runFolder, type Transports } from '../scenario/index.ts';
import { isAlarm } from './detection.ts';
import { drillEnvironment } from './drill-environment.ts';
import type { DrillOutcome, Red } from './drilled.ts';
import { relevant } from './relevant-scenarios.ts';
import { symptomOfExchange } from './symptom.ts';

/** Titles of scenarios by the name of a change: it is played with these alone; one without a name, with all that could detect it. */
export type Only = Readonly<Record<string, readonly string[] | undefined>>;

export interface DrillContext {
  readonly scenarios: readonly Scenario[];
  /** Seed of the test data, so that every drill is the same. */
  readonly seed: string;
  readonly only?: Only;
  readonly signal?: AbortSignal;
  /** Creates the connections for one fault's scenarios; default: Node's. */
  readonly transports?: () => Transports;
}

/** Faults drilled in parallel, each on a separate service; they mostly wait for lists that never change. */
const AT_ONCE = 6;

/** Lists may lag in a valid variant, so variants get the usual wait. */
const VARIANT_CONSISTENCY_MS = 2_000;

/** Switches on each change in turn, and runs every scenario that could detect it; reports each outcome. */
export async function drillHere(
  changes: readonly (CataloguedFault | Variant)[],
  context: DrillContext,
  onOutcome: (name: string, outcome: DrillOutcome) => void,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < changes.length && !context.signal?.aborted) {
      const change = changes[next++] as CataloguedFault | Variant;
      const deadlines = 'kind' in change ? change.deadlines : { consistencyTimeoutMs: VARIANT_CONSISTENCY_MS };
      const outcome = await whileServing({ port: 0, quiet: true }, (service) =>
        drillOne(service, change, deadlines, context),
      );
      onOutcome(change.name, outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function drillOne(
  service: Service,
  change: Fault,
  deadlines: Parameters<typeof drillEnvironment>[1],
  { scenarios, seed, only = {}, signal, transports: connect = nodeTransports }: DrillContext,
): Promise<DrillOutcome> {
  const start = performance.now();
  // A wire fault may leave a broken connection behind, which must not affect the next scenario.
  const shared = 'kind' in change && change.kind === 'wire' ? undefined : connect();
  try {
    const environment = drillEnvironment(service, deadlines);
    const about = relevant(scenarios, change.operation, 'kind' in change && change.kind === 'auth').filter(
      ({ title }) => only[change.name]?.includes(title) !== false,
    );
    const times = 'driftsAfter' in change ? Number(change.driftsAfter) : 0;
    for (let time = 0; time < times; time++)
      for (const scenario of about) await runScenario(scenario, { environment, seed, runId: randomUUID() });
    service.faults.set(change);
    const ran: string[] = [];
    const red: Red[] = [];
    const unproven: string[] = [];
    for (const scenario of about) {
      if (signal?.aborted) break;
      // A separate run each, so that credentials rejected by one fault are still used for the next.
      const runId = randomUUID();
      const transports = shared ?? connect();
      const result = await runScenario(scenario, { environment, seed, runId, transports });
      if (!shared) await transports.dispose();
      remove(runFolder(runId), fileRoles.output);
      if (result.unproven) unproven.push(result.title);
      if (!verdicts[result.verdict].ran) continue;
      ran.push(result.title);
      if (isAlarm(result)) red.push(asRed(result));
    }
    return { ran, red, unproven, durationMs: performance.now() - start };
  } finally {
    await shared?.dispose();
  }
}

export function asRed({ title, verdict, grade, reason, failing }: ScenarioResult): Red {
  const symptom = failing && symptomOfExchange(failing);
  return {
    title,
    verdict,
    ...(grade ? { grade } : {}),
    ...(reason ? { reason } : {}),
    ...(symptom ? { symptom } : {}),
    ...(failing ? { operation: failing.operation } : {}),
  };
}
