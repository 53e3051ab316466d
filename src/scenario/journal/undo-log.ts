import type { UndoLog } from '../../client/index.ts';
import { undoes } from './entries.ts';
import type { Journal } from './journal.ts';
import { readJournals } from './leftovers.ts';

/** The part of an environment's journal that the middleware of one scenario sees; `by` stands for the scenario. */
export function undoLog(journal: Journal, environment: string, by: object): UndoLog {
  return {
    add: (change) => journal.add(by, change),
    made: (id) => journal.made(id),
    strike: (id, because) => journal.strike(id, because),
    undoneBy: (request) => journal.findMade((entry) => undoes(request, entry)),
    underWay: () =>
      readJournals(environment)
        .filter(({ live }) => live)
        .flatMap(({ pending }) => pending),
  };
}
