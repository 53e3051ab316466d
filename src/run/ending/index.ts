export { callOf, type Failure } from '../../verdict/index.ts';
export { assertData, offline } from './assert-data.ts';
export * from './cause.ts';
export {
  AcceptedSoFar,
  type CauseInRun,
  causeDetails,
  causeLine,
  causesOf,
  type FailedTest,
  workingAreas,
} from './causes.ts';
export { type Certificate, certificatesOf, certificateWarnings } from './certificates.ts';
export { controlLog, usedUpLines } from './controls.ts';
export {
  type Counts,
  countsOf,
  countsText,
  type Outcome,
  outcomeOfVerdict,
  type Traffic,
  trafficOf,
  trafficText,
} from './counts.ts';
export { describeFailure } from './describe-failure.ts';
export type { Count, Milliseconds, StatusCode, UtcTime } from './document-values.ts';
export { acceptingCommand, acceptingLine, driftsOf, healthOf, isShapeAlone } from './drifts.ts';
export { endScenario } from './end-scenario.ts';
export type { Begun, RunEvents } from './events.ts';
export * from './hosts.ts';
export { escapeText, html, Markup } from './html.ts';
export { namedReason, outcomeOfResult, type TestOutcome } from './outcome.ts';
export { loadQuarantine, type Quarantined } from './quarantine.ts';
export {
  exitCode,
  failingOperations,
  isNotTried,
  overallVerdict,
  phaseSums,
  type ScenarioResult,
  STOPPED,
} from './result.ts';
export { RESULT_TYPE, type ResultDocument, resultDocument } from './result-document.ts';
export { exportScenario, traceLine } from './scenario-trace.ts';
export { isOutOfTime, NoTimeLeft, type OwnTimeLimit, outOfTime, ownTimeLimit, stopsOf } from './time-limits.ts';
export {
  type UnprovenOperation,
  unjudgedLines,
  unprovenLine,
  unprovenOperations,
  verdictOfRun,
} from './unproven-operations.ts';
