import type { Environment } from '../config/index.ts';
import { discardJournals, journalOf } from '../engine/safety/index.ts';

/** A process has one journal for the users of an environment: what another test left in it goes. */
export function emptyJournal(of: Environment): void {
  const journal = journalOf(of);
  for (const { id } of journal.pending()) journal.strike(id, 'of another test');
  discardJournals();
}
