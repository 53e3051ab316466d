import type { CataloguedFault, Variant } from '../../reference-service/index.ts';
import { ownModule } from '../config/project-root.ts';
import { allScenarios, type Scenario } from '../runner/index.ts';
import type { Transports } from '../scenario/index.ts';
import { drillEnvironment } from './drill-environment.ts';
import type { Drilled, DrillOutcome, FaultOutcome, VariantOutcome } from './drilled.ts';
import { inProcesses, someAtOnce } from './in-processes.ts';
import { onReference } from './on-reference.ts';
import { playAll, playAlone } from './play.ts';
import { relevant } from './relevant-scenarios.ts';

/** Titles of scenarios by the name of a change: it is played with these alone; one without a name, with all that could detect it. */
export type Only = Readonly<Record<string, readonly string[] | undefined>>;

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
    await drillHere(changes, { scenarios: await allScenarios(), only, signal }, reportOutcome);
  } else {
    await inProcesses({
      module: ownModule('src/fault-injection/worker'),
      tasks: changes.map(({ name }) => [name, only[name]] satisfies DrillTask),
      onMessage: ({ name, outcome }: { name: string; outcome: DrillOutcome }) => reportOutcome(name, outcome),
      signal,
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

export interface DrillContext {
  readonly scenarios: readonly Scenario[];
  readonly only?: Only;
  readonly signal?: AbortSignal | undefined;
  /** Creates the connections for one fault's scenarios; default: Node's. */
  readonly transports?: () => Transports;
}

/** Lists may lag in a valid variant, so variants get the usual wait. */
const VARIANT_CONSISTENCY_MS = 2_000;

/** Switches on each change in turn, and runs every scenario that could detect it; reports each outcome. */
export function drillHere(
  changes: readonly (CataloguedFault | Variant)[],
  context: DrillContext,
  onOutcome: (name: string, outcome: DrillOutcome) => void,
): Promise<void> {
  return someAtOnce(changes, async (change) => onOutcome(change.name, await drillOne(change, context)), context.signal);
}

function drillOne(change: CataloguedFault | Variant, context: DrillContext): Promise<DrillOutcome> {
  const { scenarios, only = {}, signal, transports } = context;
  const kind = 'kind' in change ? change.kind : undefined;
  const deadlines = 'kind' in change ? change.deadlines : { consistencyTimeoutMs: VARIANT_CONSISTENCY_MS };
  return onReference(async (service) => {
    const environment = drillEnvironment(service, deadlines);
    const about = relevant(scenarios, change.operation, kind === 'auth').filter(
      ({ title }) => only[change.name]?.includes(title) !== false,
    );
    const times = 'driftsAfter' in change ? Number(change.driftsAfter) : 0;
    for (let time = 0; time < times; time++)
      for (const scenario of about) await playAlone(scenario, { environment, seed: DRILL_SEED });
    service.faults.set(change);
    return playAll(about, { environment, seed: DRILL_SEED, kind, transports, signal });
  });
}
