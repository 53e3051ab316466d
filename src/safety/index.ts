/*
 * This folder protects the service and its users: it limits effects, asks for consent, stops refused credentials, knows which addresses
 * respond, locks shared users, gives scenarios a known start, records changes and undoes them.
 * It takes an environment, the sessions of its users, and the state folder.
 * It records each change before the change is sent, and undoes the changes that scenarios and runs leave behind.
 */
export type { Pending, ReversibleChange } from './changes.ts';
export { agreed, assertConsent, consentTo, hasConsent } from './consent.ts';
export {
  type CredentialKey,
  credentialGuard,
  credentialKey,
  RefusedCredentials,
} from './credential-guard.ts';
export { Journal } from './journal.ts';
export { JournalFiles } from './journal-file.ts';
export { KeptProfile, unrestorableIn } from './kept-profile.ts';
export { KnownStart } from './known-start.ts';
export { assertJournalsWhole, type JournalFile, leftoversOf, readJournals } from './leftovers.ts';
export { type Release, takeLock, tryLock } from './lock/exclusive-lock.ts';
export { stateFolder } from './lock/state-folder.ts';
export { TurnQueue } from './lock/turn-queue.ts';
export {
  isDivisible,
  LockFailed,
  shareWithChildren,
  takeUsers,
  usersOf,
} from './lock/users-lock.ts';
export type { Log } from './log.ts';
export { canRestore, isMadeBySuite, oldValues, overwrittenFields, unrestorableText } from './profile-values.ts';
export { Reachability } from './reachability.ts';
export { ReadLists } from './read-lists.ts';
export { recordedChanges, undoArguments, undoneInBody } from './recorded-changes.ts';
export { RunProfiles } from './run-profiles.ts';
export type { HandedOn, Scope } from './scope.ts';
export { isKnownEmpty } from './shown-change.ts';
export { describeUndone, stoppedBefore, stoppedText, sweep } from './sweep.ts';
export { contextOutside } from './undo-sessions.ts';
export { beginUsersRun, type UsersRun, type UsersRunOptions, withUsers } from './users-run.ts';
