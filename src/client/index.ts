export { type AreaClient, areaClient } from './calls/area-client.ts';
export { Call } from './calls/call.ts';
export { Ledger, UnjudgedCall } from './calls/ledger.ts';
export { ApiResponse, inside, undocumented } from './calls/response.ts';
export { type DuringCall, Session, type SessionContext } from './calls/session.ts';
export { specifiedFor } from './contract/breaches.ts';
export { ContractLog } from './contract/contract-log.ts';
export { expiryInToken, type Issue, type Issued, IssuedSecret, NotIssued } from './credentials/issued-secret.ts';
export { generic, mediaType, responseKind, typeName } from './drift/drift.ts';
export { DriftLog } from './drift/drift-log.ts';
export { isObservedOperation } from './drift/observed-shape.ts';
export type { ConnectionFailure } from './http/connection-failure.ts';
export { correlationHeaders, RUN_HEADER, userAgent } from './http/correlation-headers.ts';
export { curlLine } from './http/curl.ts';
export { Deadline } from './http/deadline.ts';
export { type Exchange, type HttpResponse, header } from './http/exchange.ts';
export { fetchByRoute, type RoutedRequest } from './http/fetch-by-route.ts';
export { NodeTransport, tlsOptions } from './http/node-transport.ts';
export { type Phase, type Phases, phaseNames } from './http/phases.ts';
export { retryAfterMs } from './http/rate-limit-headers.ts';
export { type ForwardProxy, type Pin, pinOf, proxyHref, type Route } from './http/route.ts';
export { type HttpRequest, send, type Transport } from './http/transport.ts';
export { fieldsIn, parsedJson, valueAt } from './json/parsed-json.ts';
export { decoded, leaves, mentions, recordsIn } from './json/search.ts';
export { credentialGuard, NotTried } from './middleware/credential-guard.ts';
export { whyNotAllowed } from './middleware/effect-guard.ts';
export { knownStart } from './middleware/known-start.ts';
export { asRestoration, type Middleware } from './middleware/middleware.ts';
export { oldValues, overwrittenFields } from './middleware/old-profile.ts';
export { rateLimit, Slots } from './middleware/rate-limit.ts';
export { restoreProfile } from './middleware/restore-profile.ts';
export {
  type Recorded,
  type ReversibleChange,
  type Scope,
  type SentChange,
  type UndoRequest,
  undoes,
} from './middleware/scope.ts';
export { idIn, readForgotten } from './middleware/shown-change.ts';
export { undoArguments, undoJournal } from './middleware/undo-journal.ts';
export { assertGrade, mistakeText, SpecMistake } from './mistakes/spec-mistake.ts';
export { type Facts, type MistakeName, mistakes } from './mistakes/table.ts';
export { type Note, type Observer, silent } from './observer/observer.ts';
export {
  guardOutput,
  keepSecrets,
  redact,
  redactBytes,
  redactJson,
  redactParts,
  writeArtifact,
} from './redaction/redact.ts';
export { type Redacted, Redactor } from './redaction/redactor.ts';
export { MASK, Secret } from './redaction/secret.ts';
export { type Form, nextFormOf, offer } from './requests/forms.ts';
export { type Caller, type Credential, headerValue } from './requests/prepare.ts';
export { RawBody, rawBody, rawText } from './requests/raw-body.ts';
export {
  type Conformance,
  type Contract,
  factKey,
  type LearnedFact,
  type LearnedFacts,
  type Observed,
  type ObservedOperation,
  type ObservedResponse,
  type ServiceUnderTest,
  type SpecifiedContent,
  type SpecifiedOperation,
  type SpecifiedResponse,
  type SpecifiedValue,
  type SuccessRule,
} from './target/target.ts';
export { type Circumstances, isPlainRefusal } from './verdict/broken-expectation.ts';
export {
  CATEGORY_LABEL,
  type Category,
  categoryOfBroken,
  categoryTitles,
  leavesOut,
  type SkipCategory,
  SuiteError,
  SuiteFault,
  Unproven,
  verdictOfCategory,
} from './verdict/category.ts';
export { type Claim, type Grade, gradeOf, gradeTable, type StatedClaim, verdictOfBroken } from './verdict/claim.ts';
export { type CallSite, callSite, ExpectationError, isExpectError } from './verdict/expectation-error.ts';
export { excerpt, responseLine, seenIn } from './verdict/failure-message.ts';
export { type Expected, isSuccess, judge } from './verdict/judge.ts';
export { foundNothing, refusalKind, refusedAlike } from './verdict/refusal-kind.ts';
export { isSpecFile, isThrownBySpec, lineText, type SpecLine, specLineOf } from './verdict/spec-line.ts';
export { type Health, type Verdict, type VerdictFacts, verdicts } from './verdict/verdicts.ts';
