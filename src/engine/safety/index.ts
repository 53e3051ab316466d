export { canRestore, unrestorableText } from './can-restore.ts';
export { agreed, assertConsent, consentTo, hasConsent } from './consent.ts';
export {
  type CredentialKey,
  credentialGuard,
  credentialKey,
  NotTried,
  type Refused,
} from './credential-guard.ts';
export { journalOf, type Leftover } from './journal.ts';
export type { Entry } from './journal-entries.ts';
export { discardJournals } from './journal-file.ts';
export { KeptProfile, oldValues, overwrittenFields } from './kept-profile.ts';
export { KnownStart } from './known-start.ts';
export { type Release, takeLock, tryLock } from './lock/exclusive-lock.ts';
export { stateFolder } from './lock/state-folder.ts';
export {
  areasHeldBy,
  assertDivisible,
  isDivisible,
  LockFailed,
  shareWithChildren,
  takeUsers,
  usersOf,
} from './lock/users-lock.ts';
export { isMadeBySuite } from './made-by-suite.ts';
export { assertJournalsWhole, type JournalFile, leftoversOf, readJournals } from './read-journals.ts';
export { recordedChanges, undoArguments, undoneInBody } from './recorded-changes.ts';
export { type ReversibleChange, type Scope, undoes } from './scope.ts';
export { noteAddress } from './silent-addresses.ts';
export { changesLeft, describeUndone, stoppedText, sweep } from './undo.ts';
export { beginUsersRun, type UsersRun, withUsers } from './users-run.ts';
