import { randomUUID } from 'node:crypto';
import type { Verdict } from '../client/index.ts';
import { runScenario, type Scenario, type ScenarioResult } from '../resident/index.ts';
import { type CataloguedFault, type Fault, startService, type Variant } from '../service/index.ts';
import { drillEnvironment } from './environment.ts';
import type { Drilled, FaultOutcome, Red, VariantOutcome } from './outcome.ts';
import { relevant } from './relevant.ts';

export interface DrillOptions {
  readonly faults: readonly CataloguedFault[];
  readonly variants: readonly Variant[];
  readonly scenarios: readonly Scenario[];
  /** Seed of the scenarios' data, so that two drills are the same. */
  readonly seed: string;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: FaultOutcome | VariantOutcome) => void;
}

/** Drills are to be the same every time, so they always make the same data. */
export const DRILL_SEED = 'drill';

/** Each has a service of its own; most of the time they wait for lists that never change. */
const AT_ONCE = 6;

/** A list may lag behind in a correct reading, so there the wait is the usual one. */
const VARIANT_CONSISTENCY_MS = 2_000;

/** Switches on each fault and each correct reading in turn, and runs every scenario that it could show in. */
export async function drill({ faults, variants, ...options }: DrillOptions): Promise<Drilled> {
  const start = performance.now();
  const tell = <T extends FaultOutcome | VariantOutcome>(outcome: T): T => {
    options.onOutcome?.(outcome);
    return outcome;
  };
  const jobs: (() => Promise<FaultOutcome | VariantOutcome>)[] = [
    ...faults.map((fault) => async () => tell({ fault, ...(await drillOne(fault, fault.deadlines ?? {}, options)) })),
    ...variants.map((variant) => async () => {
      const outcome = await drillOne(variant, { consistencyTimeoutMs: VARIANT_CONSISTENCY_MS }, options);
      return tell({ variant, ...outcome });
    }),
  ];
  const outcomes = await pooled(jobs, options.signal);
  return {
    faults: outcomes.filter((outcome) => 'fault' in outcome),
    variants: outcomes.filter((outcome) => 'variant' in outcome),
    durationMs: performance.now() - start,
  };
}

async function drillOne(
  change: Fault,
  deadlines: Parameters<typeof drillEnvironment>[1],
  { scenarios, seed, signal }: Omit<DrillOptions, 'faults' | 'variants'>,
) {
  const start = performance.now();
  const service = await startService({ port: 0, quiet: true });
  try {
    service.faults.set(change);
    const environment = drillEnvironment(service, deadlines);
    const ran: string[] = [];
    const red: Red[] = [];
    for (const scenario of relevant(scenarios, change.operation)) {
      if (signal?.aborted) break;
      const result = await runScenario(scenario, { environment, seed, runId: randomUUID() });
      if (result.verdict === 'skipped') continue;
      ran.push(result.title);
      if (isRed(result)) red.push(asRed(result));
    }
    return { ran, red, durationMs: performance.now() - start };
  } finally {
    await service.stop();
  }
}

/** `slow` can only come where a fault set the pace; `unknown` is no judgement, so it catches nothing, yet alarms. */
const quietVerdicts: readonly Verdict[] = ['passed', 'skipped'];

function isRed({ verdict }: ScenarioResult): boolean {
  return !quietVerdicts.includes(verdict);
}

function asRed({ title, verdict, grade, reason }: ScenarioResult): Red {
  return { title, verdict, ...(grade ? { grade } : {}), ...(reason ? { reason } : {}) };
}

async function pooled<T>(jobs: readonly (() => Promise<T>)[], signal?: AbortSignal): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < jobs.length && !signal?.aborted; index = next++)
      results[index] = await (jobs[index] as () => Promise<T>)();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results.filter((result) => result !== undefined);
}
