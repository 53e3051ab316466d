export { canRestore } from './can-restore.ts';
export { agreed, assertConsent, consentTo, hasConsent } from './consent.ts';
export { type Release, takeLock } from './exclusive-lock.ts';
export { journalOf, type Leftover } from './journal.ts';
export type { Entry } from './journal-entries.ts';
export { discardJournals } from './journal-file.ts';
export { isMadeBySuite } from './made-by-suite.ts';
export { assertJournalsWhole, type JournalFile, leftoversOf, readJournals } from './read-journals.ts';
export { noteAddress } from './silent-addresses.ts';
export { stateFolder } from './state-folder.ts';
export { changesLeft, describeUndone, stoppedText, sweep } from './undo.ts';
export {
  areasHeldBy,
  assertDivisible,
  isDivisible,
  LockFailed,
  shareWithChildren,
  takeUsers,
  usersOf,
} from './users-lock.ts';
export { beginUsersRun, type UsersRun, withUsers } from './users-run.ts';
