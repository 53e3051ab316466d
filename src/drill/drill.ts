import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  faults as allFaults,
  variants as allVariants,
  type CataloguedFault,
  type Variant,
} from '../../reference-service/index.ts';
import { fileRoles, remove, scratchFolder } from '../environment/files/index.ts';
import { allScenarios, type Scenario } from '../run/index.ts';
import { drillEnvironment, environmentOn, LAGGING_MS, withFacts } from './drill-environment.ts';
import { inProcesses, someAtOnce } from './in-processes.ts';
import type { Drilled, DrillOutcome, DrillTask, FaultOutcome, TaskOutcome, VariantOutcome } from './outcome.ts';
import { onReference, playAll } from './play.ts';
import { type Row, readingsOf, rowFor, spread } from './readings.ts';
import { relevant } from './relevant-scenarios.ts';

/**
 * For each fault or variant, by name: titles of the scenarios to play. If a fault or variant has no entry, all scenarios that could detect
 * it are played.
 */
type Only = Readonly<Record<string, readonly string[] | undefined>>;

export interface DrillOptions {
  readonly faults: readonly CataloguedFault[];
  readonly variants: readonly Variant[];
  readonly only?: Only;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: FaultOutcome | VariantOutcome) => void;
}

export async function drill(options: DrillOptions): Promise<Drilled> {
  const { faults, variants, only = {}, signal, onOutcome } = options;
  const start = performance.now();
  const outcomesByName = new Map<string, FaultOutcome | VariantOutcome>();
  const note = ({ task, ...outcome }: TaskOutcome) => {
    const { change: name = '' } = task;
    const fault = faults.find((known) => known.name === name);
    const variant = variants.find((known) => known.name === name);
    const named = fault ? { fault, ...outcome } : variant && { variant, ...outcome };
    if (!named) return;
    outcomesByName.set(name, named);
    onOutcome?.(named);
  };
  const tasks = [...faults, ...variants].map(({ name }): DrillTask => ({ change: name, only: only[name] }));
  await drillTasks(tasks, note, signal);
  const outcomes = [...faults, ...variants].flatMap(({ name }) => outcomesByName.get(name) ?? []);
  return {
    faults: outcomes.filter((outcome) => 'fault' in outcome),
    variants: outcomes.filter((outcome) => 'variant' in outcome),
    durationMs: performance.now() - start,
  };
}

export interface SpreadTaskOptions {
  readonly faults: readonly CataloguedFault[];
  /** The rows of `spread` to drill on, as indices. Each row says for every open question how the service answers it. Absent: all rows. */
  readonly rows?: readonly number[];
  /** Number of rows that each fault is drilled on. */
  readonly perFault?: number;
  readonly only?: Only;
}

/** Number of rows for each fault. Two keep the drill under two minutes, and each kind of fault still meets each reading. */
const PER_FAULT = 2;

/**
 * The tasks: first each used row without a fault, then each fault on `perFault` of the rows, in turn. Leaves out faults that no scenario
 * can catch (`survives`), and faults that break a fact.
 */
export function spreadTasks(options: SpreadTaskOptions): (DrillTask & { readonly row: number })[] {
  const { faults, rows = [...spread.keys()], perFault = PER_FAULT, only = {} } = options;
  const given = faults.filter(({ survives, breaksFact }) => !survives && !breaksFact);
  const withFault = given.flatMap(({ name }, index) =>
    Array.from({ length: Math.min(perFault, rows.length) }, (_, turn) => {
      const row = rows[(index * perFault + turn) % rows.length] as number;
      return { change: name, row, only: only[name] };
    }),
  );
  const used = new Set(withFault.map(({ row }) => row));
  return [...rows.filter((row) => used.has(row)).map((row) => ({ row })), ...withFault];
}

/**
 * Up to this many tasks run in this process. Tasks with a row of readings always run in child processes, because their runs write state
 * files.
 */
const FEW = 12;

export async function drillTasks(
  tasks: readonly DrillTask[],
  onOutcome: (outcome: TaskOutcome) => void = () => {},
  signal?: AbortSignal,
): Promise<TaskOutcome[]> {
  const outcomes: TaskOutcome[] = [];
  const note = (outcome: TaskOutcome) => {
    outcomes.push(outcome);
    onOutcome(outcome);
  };
  if (tasks.length <= FEW && tasks.every(({ row }) => row === undefined)) {
    await work(tasks, note, signal);
    return outcomes;
  }
  const folder = scratchFolder('sextant-drill-');
  const env = { SEXTANT_STATE: join(folder, 'state'), SEXTANT_OUTPUT: folder };
  try {
    await inProcesses({ module: import.meta.filename, tasks, least: FEW, env, onMessage: note, signal });
  } finally {
    remove(folder, fileRoles.output);
  }
  return outcomes;
}

/** Runs tasks in this process. `worker.ts` calls it by name. @public */
export function work(
  tasks: readonly DrillTask[],
  onOutcome: (outcome: TaskOutcome) => void,
  signal?: AbortSignal,
): Promise<void> {
  const done = async (task: DrillTask) => onOutcome({ task, ...(await drillOne(task, signal)) });
  return someAtOnce(tasks, done, signal);
}

/** Fixed seed, so that every drill uses the same data. */
const SEED = 'drill';

/** Puts the fault or variant of a task into a new reference service, and runs every scenario that could detect it. */
async function drillOne({ change: name, row, only }: DrillTask, signal?: AbortSignal): Promise<DrillOutcome> {
  const fault = allFaults.find((each) => each.name === name);
  const change = fault ?? allVariants.find((each) => each.name === name);
  const about = relevant(await allScenarios(), change?.operation ?? 'all', fault?.kind === 'auth').filter(
    ({ title }) => only?.includes(title) !== false,
  );
  if (row !== undefined) return onReadings(rowFor(fault, spread[row] ?? {}), fault, about);
  return onReference(async (service) => {
    // Lists may lag in a correct variant, so the suite must wait longer for them.
    const environment = fault
      ? withFacts(drillEnvironment(service, fault.deadlines), fault)
      : drillEnvironment(service, { consistencyTimeoutMs: LAGGING_MS });
    service.faults.set(...(change ? [change] : []));
    return playAll(about, { environment, seed: SEED, kind: fault?.kind, signal });
  });
}

/** Plays scenarios on a reference service that follows the readings in `row` and, if there is one, has a fault. */
export function onReadings(
  row: Row,
  fault: CataloguedFault | undefined,
  scenarios: readonly Scenario[],
): Promise<DrillOutcome> {
  return onReference(async (service) => {
    const environment = await environmentOn(row, service, fault);
    const changes = readingsOf(row).flatMap((reading) => reading.changes(fault?.operation ?? ''));
    service.faults.set(...(fault ? [fault] : []), ...changes);
    // One run for all scenarios, so that later ones use what earlier ones found out about the service, as in any environment.
    return playAll(scenarios, { environment, seed: SEED, runId: randomUUID(), kind: fault?.kind });
  });
}
