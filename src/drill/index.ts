export { drillDocument, killMatrixPage } from './documents.ts';
export { drill, drillTasks, spreadTasks } from './drill.ts';
export { likelyCauseLine, likelyCauses } from './likely-cause.ts';
export { catchers, committedMatrix, differences, type Matrix, matrixOf, matrixText } from './matrix.ts';
export {
  caughtBy,
  type Drilled,
  type FaultOutcome,
  problemsOf,
  problemsOfOne,
  score,
  scoreByKind,
  type TaskOutcome,
  type VariantOutcome,
} from './outcome.ts';
export { redOnReference } from './play.ts';
export { spread } from './readings.ts';
export { drillService, healthyRun } from './service/drill-service.ts';
export { keepDrill, keptDrill, settingsOf, wireScore } from './service/kept.ts';
export type { ServiceDrilled, WireOutcome } from './service/options.ts';
export { plannedRequests, playedFor } from './service/plan.ts';
export { problemsOfSpread, spreadResults } from './spread-score.ts';
export type { WireFault } from './wire/act.ts';
export { wireFaults } from './wire/faults.ts';
