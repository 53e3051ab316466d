/*
 * Measures which faults the suite catches, on the reference service or on the connection to a team's own service.
 * Callers pass faults and valid variants (other correct behaviour).
 * They get the scenarios that caught each fault, and the false alarms of each variant.
 */
export { drillDocument } from './documents.ts';
export { type DrillOptions, drill, drillTasks, spreadTasks } from './drill.ts';
export { describeDryRun, dryRun, onSubstitute } from './dry-run.ts';
export {
  caughtBy,
  type Drilled,
  type FaultOutcome,
  problemsOf,
  problemsOfOne,
  type Score,
  score,
  scoreByKind,
  type TaskOutcome,
  type VariantOutcome,
} from './outcome.ts';
export { spread } from './readings.ts';
export { problemsOfSpread, spreadResults } from './spread-score.ts';
export { drillService, healthyRun, type WireOutcome } from './wire/drill-service.ts';
export { type WireFault, wireFaults } from './wire/faults.ts';
export { plannedRequests, playedFor } from './wire/plan.ts';
