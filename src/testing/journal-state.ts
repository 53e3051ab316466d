import fs, { readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, type TestContext } from 'node:test';
import { readJournals } from '../safety/index.ts';
import type { Journal } from '../safety/journal.ts';
import { journalFolder } from '../safety/journal-file.ts';
import { ownFolder } from './own-folder.ts';
import { testEnvironment } from './test-environment.ts';

/** The state folder, which is empty before each test. */
export const state = ownFolder();
process.env.SEXTANT_STATE = state;

export const environment = testEnvironment('http://127.0.0.1:1');
beforeEach(() => rmSync(state, { recursive: true, force: true }));

export const change = {
  change: 'block',
  undo: 'unblock',
  args: { friendId: 'ben' },
  as: 'caller',
  userId: 'ada',
  base: 'http://127.0.0.1:1/',
} as const;

/** Records `change` in a journal, as a change to the user `friendId`. */
export const noted = (journal: Journal, friendId = 'ben') => journal.add({ ...change, args: { friendId } });

export const files = () =>
  readdirSync(journalFolder(environment)).map((name) => join(journalFolder(environment), name));

export const onDisk = () => readJournals(environment).flatMap(({ pending }) => pending);

/** Replaces functions of `node:fs` until the test ends, or the returned function is called. */
export function replaceDisk(
  t: TestContext,
  functions: Partial<Record<keyof typeof fs, (...args: never[]) => unknown>>,
) {
  const end = () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  };
  for (const [name, replacement] of Object.entries(functions)) t.mock.method(fs, name as 'fsync', replacement as never);
  syncBuiltinESMExports();
  t.after(end);
  return end;
}
