import type { Entry } from '../scenario/journal/entries.ts';
import { readJournals } from '../scenario/journal/read-journals.ts';

/** The changes of an environment that would be undone after a crash now. */
export function pendingChanges(environment: string): readonly Entry[] {
  return readJournals(environment).flatMap(({ pending }) => pending);
}
