import type { CataloguedFault, Variant } from '../../reference-service/index.ts';
import { ownModule } from '../config/project-root.ts';
import { allScenarios } from '../runner/index.ts';
import { drillHere, type Only } from './drill-one.ts';
import type { Drilled, DrillOutcome, FaultOutcome, VariantOutcome } from './drilled.ts';
import { inProcesses } from './in-processes.ts';

export interface DrillOptions {
  readonly faults: readonly CataloguedFault[];
  readonly variants: readonly Variant[];
  readonly only?: Only;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: FaultOutcome | VariantOutcome) => void;
}

/** Fixed seed, so that every drill uses the same data. */
export const DRILL_SEED = 'drill';

/** A change, and the only scenarios to play. */
export type DrillTask = readonly [name: string, only: Only[string] | undefined];

/** Minimum number of changes per process. */
const FEW = 12;

/** Drills each fault and each valid variant, distributed over processes if there are many. */
export async function drill({ faults, variants, only = {}, signal, onOutcome }: DrillOptions): Promise<Drilled> {
  const start = performance.now();
  const changes = [...faults, ...variants];
  const outcomes = new Map<string, DrillOutcome>();
  const reportOutcome = (name: string, outcome: DrillOutcome) => {
    outcomes.set(name, outcome);
    const fault = faults.find((known) => known.name === name);
    const variant = variants.find((known) => known.name === name);
    if (fault) onOutcome?.({ fault, ...outcome });
    else if (variant) onOutcome?.({ variant, ...outcome });
  };
  if (changes.length <= FEW) {
    const stop = signal ? { signal } : {};
    await drillHere(changes, { scenarios: await allScenarios(), seed: DRILL_SEED, only, ...stop }, reportOutcome);
  } else {
    await inProcesses({
      module: ownModule('src/fault-injection/worker'),
      tasks: changes.map(({ name }) => [name, only[name]] satisfies DrillTask),
      onMessage: ({ name, outcome }: { name: string; outcome: DrillOutcome }) => reportOutcome(name, outcome),
      ...(signal ? { signal } : {}),
    });
  }
  return {
    faults: faults.flatMap((fault) => withOutcome({ fault }, outcomes.get(fault.name))),
    variants: variants.flatMap((variant) => withOutcome({ variant }, outcomes.get(variant.name))),
    durationMs: performance.now() - start,
  };
}

function withOutcome<T extends object>(change: T, outcome: DrillOutcome | undefined): (T & DrillOutcome)[] {
  return outcome ? [{ ...change, ...outcome }] : [];
}
