import { FileTrouble, fileRoles } from '../../config/files/index.ts';
import { readDeadJournals } from './read-journals.ts';

/**
 * A change that can't be read can't be undone, and must not be passed over in silence.
 * @throws FileTrouble when a journal that a run left behind has lines that no run can have written.
 */
export function assertJournalsWhole(environment: string): void {
  const found = readDeadJournals(environment).find(({ damaged }) => damaged.length > 0);
  if (!found) return;
  const { path, damaged } = found;
  const role = {
    what: fileRoles.journal.what,
    elsewhere: `remove it with \`npx sextant undo --env ${environment} --forget\``,
  };
  const lines = `line${damaged.length === 1 ? '' : 's'} ${damaged.slice(0, 5).join(', ')}`;
  throw new FileTrouble(path, role, `is damaged in ${lines}, so a change of a run may remain`, 'Undo it by hand');
}
