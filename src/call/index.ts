/*
 * The way of a call: it is allowed, recorded and sent, then its response is judged.
 * This folder takes a session with its caller, its transport and its safety stages.
 * It returns responses that specs search, and records drift and violations of a contract.
 */
export { type AreaClient, areaClient } from './area-client.ts';
export { type AwaitedChanges, READ_ONCE, recentWaits, untilSeen } from './awaited-changes.ts';
export { Call } from './call.ts';
export { ContractLog } from './contract/contract-log.ts';
export { IssuedSecret, NotIssued } from './credentials/issued-secret.ts';
export { DriftLog, generic, mediaType, responseKind, typeName } from './drift/drift-log.ts';
export { whyNotAllowed } from './effects.ts';
export { Ledger, UnjudgedCall } from './ledger.ts';
export { sharedPace } from './middleware/pace.ts';
export {
  type CallingSession,
  type Ended,
  type Next,
  type OutgoingCall,
  type Stage,
  type Stages,
  TooLate,
} from './middleware/stages.ts';
export { pollFor } from './poll-for.ts';
export { idIn } from './requests/id-in.ts';
export { type Caller, type Credential, headerValue, RawBody, rawBody, rawText } from './requests/prepare.ts';
export { ApiResponse, inside } from './response.ts';
export { type DuringCall, Session, type SessionContext } from './session.ts';
