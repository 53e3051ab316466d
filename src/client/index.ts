export { type AreaClient, areaClient } from './area-client.ts';
export { Call } from './call.ts';
export type { Caller, Credential } from './caller.ts';
export type { Circumstances } from './circumstances.ts';
export type {
  Conformance,
  Contract,
  SpecifiedContent,
  SpecifiedOperation,
  SpecifiedResponse,
  SpecifiedValue,
} from './contract/contract.ts';
export { ContractLog } from './contract/contract-log.ts';
export { specifiedFor } from './contract/response-breaches.ts';
export { expiryInToken } from './credentials/expiry-in-token.ts';
export { type Issue, type Issued, IssuedSecret, NotIssued } from './credentials/issued-secret.ts';
export { curlLine } from './curl.ts';
export { mediaType } from './drift/drift.ts';
export { DriftLog } from './drift/drift-log.ts';
export { factKey, type LearnedFact, type LearnedFacts } from './drift/learned-facts.ts';
export type { Observed, ObservedOperation, ObservedResponse } from './drift/observed.ts';
export { isObservedOperation } from './drift/observed-shape.ts';
export { responseKind } from './drift/response-kind.ts';
export { type Exchange, type HttpResponse, header } from './exchange.ts';
export { type Form, formsOf, offer } from './forms.ts';
export { askForJson } from './http/ask-for-json.ts';
export { type ConnectionFailure, proxyProblem, reasonOfCode } from './http/connection-failure.ts';
export { correlationHeaders, RUN_HEADER, userAgent } from './http/correlation-headers.ts';
export { type Deadline, deadline } from './http/deadline.ts';
export { makeAgent, NodeTransport, tlsOptions } from './http/node-transport.ts';
export { type Phase, type Phases, phaseNames } from './http/phases.ts';
export { retryAfterMs } from './http/retry-after.ts';
export type { ForwardProxy, Route } from './http/route.ts';
export type { HttpRequest, Transport } from './http/transport.ts';
export { valueAt } from './json-pointer.ts';
export { credentialGuard, NotTried, type RefusalStore } from './middleware/credential-guard.ts';
export { whyNotAllowed } from './middleware/effect-guard.ts';
export { knownStart } from './middleware/known-start.ts';
export type { Middleware } from './middleware/middleware.ts';
export { asRestoration } from './middleware/put-back.ts';
export { rateLimit } from './middleware/rate-limit.ts';
export { restoreProfile } from './middleware/restore-profile.ts';
export type { Scope } from './middleware/scope.ts';
export { idIn, readForgotten } from './middleware/shown-change.ts';
export { undoArguments } from './middleware/undo-arguments.ts';
export { undoJournal } from './middleware/undo-journal.ts';
export type { Recorded, ReversibleChange, UndoLog, UndoRequest } from './middleware/undo-log.ts';
export { assertGrade } from './mistakes/assert-grade.ts';
export { isSpecFile, isThrownBySpec, lineText, type SpecLine, specLineOf } from './mistakes/spec-line.ts';
export { SpecMistake } from './mistakes/spec-mistake.ts';
export { type Facts, type MistakeName, mistakes, mistakeText } from './mistakes/table.ts';
export { type Note, type Observer, silent } from './observer.ts';
export { RawBody, rawBody, rawText } from './raw-body.ts';
export { writeArtifact } from './redaction/artifact-file.ts';
export { guardOutput } from './redaction/guard-output.ts';
export { keepSecrets, redact, redactBytes, redactJson } from './redaction/redact.ts';
export type { Redacted } from './redaction/redacted.ts';
export { Redactor } from './redaction/redactor.ts';
export { MASK, Secret } from './redaction/secret.ts';
export { ApiResponse, inside, undocumented } from './response.ts';
export { leaves, mentions } from './search.ts';
export { type DuringCall, Session, type SessionContext } from './session.ts';
export { type ShownField, shownValues } from './shown-field.ts';
export { SuiteFault } from './suite-fault.ts';
export type { ServiceUnderTest, SuccessRule } from './target.ts';
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
export { type Claim, type Grade, gradeOf, gradeTable, type StatedClaim, verdictOfBroken } from './verdict/claim.ts';
export { isExpectError } from './verdict/expect-error.ts';
export { type CallSite, callSite, ExpectationError } from './verdict/expectation-error.ts';
export { excerpt, responseLine } from './verdict/failure-message.ts';
export { type Expected, isSuccess, judge } from './verdict/judge.ts';
export { Ledger, UnjudgedCall } from './verdict/ledger.ts';
export { foundNothing } from './verdict/no-effect.ts';
export { refusalKind, refusedAlike } from './verdict/refusal-kind.ts';
export { Unproven } from './verdict/unproven.ts';
export { type Health, type Verdict, type VerdictFacts, verdicts, verdictsWhere } from './verdict/verdicts.ts';
