import { join } from 'node:path';
import {
  FileTrouble,
  fileRoles,
  listFolder,
  readTextIfAny,
  remove,
  unlessFileTrouble,
} from '../environment/files/index.ts';
import type { Named } from '../environment/index.ts';
import type { Pending } from './changes.ts';
import { isUnderWay, journalFolder, noteInFile } from './journal-file.ts';
import { readLines, stateLine, type UndoState } from './journal-lines.ts';
import { otherHolder, type SharedUsers, usersOf } from './lock/users-lock.ts';

type Owner = SharedUsers & Named;

export type JournalFile = ReturnType<typeof readJournals>[number];

/** A change that is still in the journal of a scenario or a run that has ended. */
export interface Leftover extends Pending {
  /** Notes the state of the undo; the change stays in the journal. */
  note(state: UndoState): void;
  /** Notes that the change needs no undo any more. */
  strike(because: string): void;
}

/** All journals of an environment. `isLive`: the scenario or the other process that writes the journal has not ended. */
export function readJournals(environment: Owner, isWanted: (path: string) => boolean = () => true) {
  const folder = journalFolder(environment);
  const names = listFolder(folder, fileRoles.state).filter(
    (name) => name.endsWith('.jsonl') && isWanted(join(folder, name)),
  );
  const held = new Map<string, boolean>();
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    const text = readTextIfAny(path, fileRoles.state);
    // The scenario that wrote this journal has removed the file since `listFolder`.
    if (text === undefined) return [];
    const [users = usersOf(environment)] = /^[0-9a-f]{24}(?=-)/.exec(name) ?? [];
    const isHeld = held.get(users) ?? otherHolder(users) !== undefined;
    held.set(users, isHeld);
    return [{ path, isLive: isHeld || isUnderWay(path), ...readLines(text) }];
  });
}

/** The journals of scenarios and runs that have ended. A process that holds the lock of the users may undo all changes in them. */
export function readDeadJournals(environment: Owner): JournalFile[] {
  return readJournals(environment, (path) => !isUnderWay(path)).filter(({ isLive }) => !isLive);
}

/** The changes that ended scenarios and runs left behind, newest first. */
export function leftoversOf(environment: Owner): Leftover[] {
  return readDeadJournals(environment)
    .flatMap(({ path, pending }) =>
      pending.toReversed().map((entry) => ({
        ...entry,
        note: (state: UndoState) => noteInFile(path, stateLine(state, entry.id)),
        strike: (because: string) => noteInFile(path, { struck: entry.id, because }),
      })),
    )
    .sort((one, other) => other.at.localeCompare(one.at));
}

/** Removes the journals of ended scenarios and runs if they hold no change, or all of them with `isAll`. */
export function removeJournals(environment: Owner, isAll = false): void {
  for (const { path, pending, damaged } of readDeadJournals(environment))
    if (isAll || pending.length + damaged.length === 0) unlessFileTrouble(() => remove(path, fileRoles.state));
}

/** Reports a damaged journal, because a change that can't be read can't be undone. @throws FileTrouble */
export function assertJournalsWhole(environment: Owner): void {
  const found = readDeadJournals(environment).find(({ damaged }) => damaged.length > 0);
  if (!found) return;
  const { path, damaged } = found;
  const role = {
    what: fileRoles.state.what,
    elsewhere: `remove it with \`npx sextant undo --env ${environment.name} --forget\``,
  };
  const lines = `line${damaged.length === 1 ? '' : 's'} ${damaged.slice(0, 5).join(', ')}`;
  throw new FileTrouble(path, role, `is damaged in ${lines}, so a change of a run may remain`, 'Undo it by hand');
}
