import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach } from 'node:test';
import { readJournals } from '../scenario/index.ts';

/** Empty before each test. */
export const state = mkdtempSync(join(tmpdir(), 'sextant-journal-'));
process.env.SEXTANT_STATE = state;
after(() => rmSync(state, { recursive: true, force: true }));
beforeEach(() => rmSync(state, { recursive: true, force: true }));

export const scenario = {};
/** A change to note. */
export const change = {
  change: 'block',
  undo: 'unblock',
  args: { friendId: 'ben' },
  as: 'caller',
  userId: 'ada',
  base: 'http://127.0.0.1:1/',
} as const;

/** What is pending in the journals of the environment `test`. */
export const onDisk = () => readJournals('test').flatMap(({ pending }) => pending);
