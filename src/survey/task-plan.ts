import type { Environment } from '../config/index.ts';
import { type CallableId, operation, operationIds } from '../spec/index.ts';
import type { Experiment, OperationEntry } from './experiments/index.ts';

/** One question about one operation, with the experiment that decides it. */
export interface Task {
  readonly entry: OperationEntry;
  readonly question: string;
  readonly experiment: Experiment;
}

/** Every question about every callable operation, operation by operation. */
export function plan(environment: Environment, experiments: readonly Experiment[]): Task[] {
  const rows: OperationEntry[] = operationIds.map((id) => ({ ...operation(id), id }));
  if (environment.readProfile) rows.push({ ...environment.readProfile, id: environment.readProfile.id as CallableId });
  return rows.flatMap((entry) =>
    experiments.flatMap((experiment) =>
      experiment.questions(entry).map((question) => ({ entry, question, experiment })),
    ),
  );
}
