import type { Environment } from '../config/index.ts';
import { type CallableId, operation, operationIds } from '../spec/index.ts';
import { type Experiment, experiments, type OperationEntry } from './experiments/index.ts';
import { Samples } from './inference/samples.ts';

/** One question about one operation, with the experiment that decides it. */
export interface Task {
  readonly entry: OperationEntry;
  readonly question: string;
  readonly experiment: Experiment;
}

/** Every question about every callable operation, operation by operation. */
export function plan(environment: Environment, given: readonly Experiment[]): Task[] {
  const rows: OperationEntry[] = operationIds.map((id) => ({ ...operation(id), id }));
  if (environment.readProfile) rows.push({ ...environment.readProfile, id: environment.readProfile.id as CallableId });
  return rows.flatMap((entry) =>
    given.flatMap((experiment) => experiment.questions(entry).map((question) => ({ entry, question, experiment }))),
  );
}

/** Every question that a survey of an environment asks, with its operation. */
export function questionsOf(environment: Environment): { readonly question: string; readonly operation: CallableId }[] {
  return plan(environment, experiments(new Samples())).map(({ question, entry }) => ({
    question,
    operation: entry.id,
  }));
}
