export { type AreaClient, areaClient } from './calls/area-client.ts';
export { Call } from './calls/call.ts';
export { Ledger, UnjudgedCall } from './calls/ledger.ts';
export { ApiResponse, inside, undocumented } from './calls/response.ts';
export { type DuringCall, Session, type SessionContext } from './calls/session.ts';
export { ContractLog } from './contract/contract-log.ts';
export { specifiedFor } from './contract/response-breaches.ts';
export { expiryInToken } from './credentials/expiry-in-token.ts';
export { type Issue, type Issued, IssuedSecret, NotIssued } from './credentials/issued-secret.ts';
export { mediaType } from './drift/drift.ts';
export { DriftLog } from './drift/drift-log.ts';
export { isObservedOperation } from './drift/observed-shape.ts';
export { responseKind } from './drift/response-kind.ts';
export { askForJson } from './http/ask-for-json.ts';
export type { ConnectionFailure } from './http/connection-failure.ts';
export { correlationHeaders, RUN_HEADER, userAgent } from './http/correlation-headers.ts';
export { curlLine } from './http/curl.ts';
export { type Deadline, deadline } from './http/deadline.ts';
export { type Exchange, type HttpResponse, header } from './http/exchange.ts';
export { fetchByRoute } from './http/fetch-by-route.ts';
export { NodeTransport, tlsOptions } from './http/node-transport.ts';
export { type Phase, type Phases, phaseNames } from './http/phases.ts';
export { retryAfterMs } from './http/retry-after.ts';
export { type ForwardProxy, type Pin, pinOf, proxyHref, type Route } from './http/route.ts';
export { type HttpRequest, send, type Transport } from './http/transport.ts';
export { valueAt } from './json/json-pointer.ts';
export { leaves, mentions } from './json/search.ts';
export { type ShownField, shownValues } from './json/shown-field.ts';
export { credentialGuard, NotTried, type RefusalStore } from './middleware/credential-guard.ts';
export { whyNotAllowed } from './middleware/effect-guard.ts';
export { knownStart } from './middleware/known-start.ts';
export type { Middleware } from './middleware/middleware.ts';
export { oldValues, overwrittenFields } from './middleware/old-profile.ts';
export { asRestoration } from './middleware/put-back.ts';
export { rateLimit } from './middleware/rate-limit.ts';
export { restoreProfile } from './middleware/restore-profile.ts';
export type { Scope } from './middleware/scope.ts';
export { idIn, readForgotten } from './middleware/shown-change.ts';
export { undoArguments } from './middleware/undo-arguments.ts';
export { undoJournal } from './middleware/undo-journal.ts';
export type { Recorded, ReversibleChange, UndoLog, UndoRequest } from './middleware/undo-log.ts';
export { assertGrade, mistakeText, SpecMistake } from './mistakes/spec-mistake.ts';
export { type Facts, type MistakeName, mistakes } from './mistakes/table.ts';
export { type Note, type Observer, silent } from './observer/observer.ts';
export { guardOutput, keepSecrets, redact, redactBytes, redactJson, writeArtifact } from './redaction/redact.ts';
export type { Redacted } from './redaction/redactor.ts';
export { Redactor } from './redaction/redactor.ts';
export { MASK, Secret } from './redaction/secret.ts';
export { type Caller, type Credential, headerValue } from './requests/caller.ts';
export { type Form, formsOf, offer } from './requests/forms.ts';
export { RawBody, rawBody, rawText } from './requests/raw-body.ts';
export type {
  Conformance,
  Contract,
  SpecifiedContent,
  SpecifiedOperation,
  SpecifiedResponse,
  SpecifiedValue,
} from './target/contract.ts';
export { factKey, type LearnedFact, type LearnedFacts } from './target/learned-facts.ts';
export type { Observed, ObservedOperation, ObservedResponse } from './target/observed.ts';
export type { RateLimits, ServiceUnderTest, SuccessRule } from './target/target.ts';
export { isPlainRefusal } from './verdict/broken-expectation.ts';
export {
  CATEGORY_LABEL,
  type Category,
  categoryOfBroken,
  categoryTitles,
  leavesOut,
  type SkipCategory,
  SuiteError,
  verdictOfCategory,
} from './verdict/category.ts';
export type { Circumstances } from './verdict/circumstances.ts';
export { type Claim, type Grade, gradeOf, gradeTable, type StatedClaim, verdictOfBroken } from './verdict/claim.ts';
export { isExpectError } from './verdict/expect-error.ts';
export { type CallSite, callSite, ExpectationError } from './verdict/expectation-error.ts';
export { excerpt, responseLine, seenIn } from './verdict/failure-message.ts';
export { type Expected, isSuccess, judge } from './verdict/judge.ts';
export { foundNothing } from './verdict/no-effect.ts';
export { refusalKind, refusedAlike } from './verdict/refusal-kind.ts';
export { isSpecFile, isThrownBySpec, lineText, type SpecLine, specLineOf } from './verdict/spec-line.ts';
export { SuiteFault } from './verdict/suite-fault.ts';
export { Unproven } from './verdict/unproven.ts';
export { type Health, type Verdict, type VerdictFacts, verdicts, verdictsWhere } from './verdict/verdicts.ts';
