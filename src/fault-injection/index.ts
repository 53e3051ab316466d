export { caughtBy, problemsOf, problemsOfOne } from './detection.ts';
export { committedSpread, drillDocument, spreadDocument, spreadFile } from './documents/json-report.ts';
export { killMatrixPage } from './documents/kill-matrix-page.ts';
export { drill } from './drill.ts';
export type { Drilled, FaultOutcome, VariantOutcome } from './drilled.ts';
export { likelyCauseLine, likelyCauses } from './likely-cause.ts';
export { catchers, committedMatrix, differences, type Matrix, matrixOf, matrixText } from './matrix.ts';
export { redOnReference } from './on-reference.ts';
export { score, scoreByKind } from './score.ts';
export { drillService, healthyRun } from './service/drill-service.ts';
export { keepDrill, keptDrill, settingsOf, wireScore } from './service/kept.ts';
export type { ServiceDrilled, WireOutcome } from './service/options.ts';
export { plannedRequests, playedFor } from './service/plan.ts';
export { drillSpread, type Spread, spreadTasks, type TaskOutcome } from './spread/drill-spread.ts';
export { spread } from './spread/readings.ts';
export {
  byReading,
  problemsOfSpread,
  type ReadingSummary,
  type SpreadResult,
  spreadResults,
} from './spread/spread-score.ts';
export type { WireFault } from './wire/act.ts';
export { wireFaults } from './wire/faults.ts';
