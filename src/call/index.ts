export { type ConnectionFailure, hostPhases, isUnconnected, reasonOfCode } from '../http/connection-failure.ts';
export { correlationHeaders, RUN_HEADER, userAgent } from '../http/correlation-headers.ts';
export { Deadline } from '../http/deadline.ts';
export { curlLine, type Exchange, type HttpResponse, header } from '../http/exchange.ts';
export {
  decoded,
  entryCount,
  exactly,
  fieldsIn,
  leaves,
  mentions,
  parsedJson,
  recordsIn,
  valueAt,
} from '../http/json.ts';
export {
  fetchByRoute,
  isTakenAsProxy,
  NodeTransport,
  ownCertificate,
  type RoutedRequest,
} from '../http/node-transport.ts';
export { type Phase, type Phases, phaseNames } from '../http/phases.ts';
export { retryAfterMs } from '../http/rate-limit-headers.ts';
export { type ForwardProxy, type Pin, pinOf, proxyHref, type Route } from '../http/route.ts';
export { type HttpRequest, send, type Transport } from '../http/transport.ts';
export {
  guardOutput,
  keepSecrets,
  redact,
  redactBytes,
  redactJson,
  redactParts,
} from '../redaction/redact.ts';
export { type Redacted, Redactor } from '../redaction/redactor.ts';
export { MASK, Secret } from '../redaction/secret.ts';
export {
  CATEGORY_LABEL,
  type Category,
  categoryTitles,
  type SkipCategory,
  verdictOfCategory,
} from '../verdict/category.ts';
export {
  type CallSite,
  type Circumstances,
  callSite,
  ExpectationError,
  isNoEntries,
  isPlainRefusal,
  NoEvidence,
  notAcceptedEither,
  Unmatched,
} from '../verdict/expectation-error.ts';
export { callOf, type FailedCall, type Failure } from '../verdict/failure.ts';
export { excerpt, responseLine, seenIn } from '../verdict/failure-message.ts';
export { type Claim, type Grade, gradeTable, type StatedClaim } from '../verdict/grade.ts';
export {
  ACCEPTS,
  type Expected,
  foundNothing,
  hadNoEffect,
  isHtml,
  isSuccess,
  judge,
  refusalKind,
  refusedAlike,
} from '../verdict/judge.ts';
export { type Note, type Observer, type ScenarioStep, silent } from '../verdict/observer.ts';
export { isOfSuite, isSpecFile, isThrownBySpec, lineText, type SpecLine, specLineOf } from '../verdict/spec-line.ts';
export { assertGrade, SpecMistake, threwError } from '../verdict/spec-mistake.ts';
export { leavesOut, NotTried, Prevented, SuiteError, SuiteFault, Unproven } from '../verdict/suite-error.ts';
export type {
  Conformance,
  Contract,
  FlatSchema,
  Observed,
  ObservedOperation,
  ObservedResponse,
  ServiceUnderTest,
  SpecifiedContent,
  SpecifiedOperation,
  SpecifiedResponse,
  SpecifiedValue,
  SuccessRule,
} from '../verdict/target.ts';
export { type Health, type Verdict, verdicts } from '../verdict/verdicts.ts';
export { type AreaClient, areaClient } from './area-client.ts';
export { Call } from './call.ts';
export { ContractLog } from './contract/contract-log.ts';
export { expiryInToken, type Issue, type Issued, IssuedSecret, NotIssued } from './credentials/issued-secret.ts';
export { DriftLog, generic, mediaType, responseKind, typeName } from './drift/drift-log.ts';
export { isObservedOperation } from './drift/observed-shape.ts';
export { whyNotAllowed } from './effects.ts';
export { Ledger, UnjudgedCall } from './ledger.ts';
export { sharedPace } from './middleware/pace.ts';
export { Slots } from './middleware/rate-limit.ts';
export {
  type AwaitedUndos,
  type CallingSession,
  type Ended,
  type Next,
  type OutgoingCall,
  type Stage,
  type Stages,
  TooLate,
} from './middleware/stages.ts';
export { idIn } from './requests/id-in.ts';
export {
  type Caller,
  type Credential,
  headerValue,
  RawBody,
  rawBody,
  rawText,
} from './requests/prepare.ts';
export { ApiResponse, inside } from './response.ts';
export { type DuringCall, Session, type SessionContext } from './session.ts';
