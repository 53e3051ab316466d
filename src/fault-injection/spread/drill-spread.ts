import { join } from 'node:path';
import type { CataloguedFault } from '../../../reference-service/index.ts';
import { fileRoles, remove, scratchFolder } from '../../config/files/index.ts';
import { ownModule } from '../../config/project-root.ts';
import type { DrillOutcome } from '../drilled.ts';
import { inProcesses } from '../in-processes.ts';
import { spread } from './readings.ts';

/** One run of the spread: a reading alone, or with a fault in it. */
export interface Task {
  /** The row's place in the spread. */
  readonly row: number;
  readonly fault?: string;
}

export interface TaskOutcome extends DrillOutcome {
  readonly task: Task;
}

export interface SpreadOptions {
  readonly faults: readonly CataloguedFault[];
  /** Rows of the spread, by their place in it; all when absent. */
  readonly rows?: readonly number[];
  /** On how many rows each fault is drilled. */
  readonly perFault?: number;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: TaskOutcome) => void;
}

/** The outcome of every row alone, and of the faults on their rows. */
export interface Spread {
  readonly alone: readonly TaskOutcome[];
  readonly withFault: readonly TaskOutcome[];
  readonly durationMs: number;
}

/** Two rows for each fault keep the whole under two minutes; together they meet every reading with every kind of fault. */
const PER_FAULT = 2;

/** Each fault on some of the rows in turn, and before them every such row alone. */
export function spreadTasks({ faults, rows = [...spread.keys()], perFault = PER_FAULT }: SpreadOptions): Task[] {
  const given = faults.filter(({ survives, driftsAfter }) => !survives && !driftsAfter);
  const withFault = given.flatMap(({ name }, index) =>
    Array.from({ length: Math.min(perFault, rows.length) }, (_, turn) => ({
      row: rows[(index * perFault + turn) % rows.length] as number,
      fault: name,
    })),
  );
  const used = new Set(withFault.map(({ row }) => row));
  return [...rows.filter((row) => used.has(row)).map((row) => ({ row })), ...withFault];
}

/** Runs the spread in child processes, with separate state. */
export async function drillSpread(options: SpreadOptions): Promise<Spread> {
  const start = performance.now();
  const folder = scratchFolder('sextant-drill-');
  const outcomes: TaskOutcome[] = [];
  try {
    await inProcesses({
      module: ownModule('src/fault-injection/spread/worker'),
      tasks: spreadTasks(options),
      env: { SEXTANT_STATE: join(folder, 'state'), SEXTANT_OUTPUT: folder },
      onMessage: (outcome: TaskOutcome) => {
        outcomes.push(outcome);
        options.onOutcome?.(outcome);
      },
      signal: options.signal,
    });
  } finally {
    remove(folder, fileRoles.output);
  }
  return {
    alone: outcomes.filter(({ task }) => task.fault === undefined),
    withFault: outcomes.filter(({ task }) => task.fault !== undefined),
    durationMs: performance.now() - start,
  };
}
