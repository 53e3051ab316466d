/*
 * Judges an exchange: how it ended, which claim it breaks, with which grade, and the verdict.
 * Its input is an exchange, an expectation, and an environment's description of the service under test.
 * It sends no requests and reads no clock.
 */
export { CATEGORY_LABEL, type Category, categoryTitles, type SkipCategory, verdictOfCategory } from './category.ts';
export {
  broken,
  type CallSite,
  type Circumstances,
  callSite,
  ExpectationError,
  NoEvidence,
  notAcceptedEither,
  Unmatched,
} from './expectation-error.ts';
export { callOf, type Drift, type FailedCall, type Failure, type Unaccepted } from './failure.ts';
export { excerpt, responseLine, seenIn } from './failure-message.ts';
export { frontDoorOf } from './front-door.ts';
export { type Claim, type Grade, gradeTable, type StatedClaim } from './grade.ts';
export {
  type Differences,
  ExpectationLog,
  type Note,
  noDifference,
  type Observer,
  type ScenarioStep,
  silent,
} from './observer.ts';
export {
  ACCEPTS,
  type Expected,
  isHtml,
  outcomeOf,
  type ResponseOutcome,
  refusalKind,
  refusedAlike,
  type Shortfall,
} from './response-outcome.ts';
export type {
  Conformance,
  Contract,
  FlatSchema,
  Observed,
  ObservedOperation,
  ObservedResponse,
  RateLimits,
  ServiceUnderTest,
  SpecifiedContent,
  SpecifiedOperation,
  SpecifiedResponse,
  SpecifiedValue,
  SuccessRule,
} from './service-under-test.ts';
export {
  isOfSuite,
  isSpecFile,
  isThrownBySuite,
  lineOfMistake,
  lineText,
  type SpecLine,
  specLineOf,
  teamLineOf,
} from './spec-line.ts';
export { assertGrade, SpecMistake, threwError } from './spec-mistake.ts';
export { DoneBefore, leavesOut, NotTried, Prevented, SuiteError, SuiteFault, Unproven } from './suite-error.ts';
export { gravestFirst, type Health, type Verdict, verdicts } from './verdicts.ts';
