import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { CallingSession } from '../call/index.ts';
import type { Operation } from '../service/index.ts';
import { fakeExchange } from '../testing/contract/fake-response.ts';
import { change, environment, files, noted, onDisk, replaceDisk, state } from '../testing/journal-state.ts';
import { writeFiles } from '../testing/own-folder.ts';
import { startChild } from '../testing/programs/child.ts';
import { Journal } from './journal.ts';
import { journalFolder, noteInFile } from './journal-file.ts';
import { readLines } from './journal-lines.ts';
import { assertJournalsWhole, readDeadJournals, readJournals } from './leftovers.ts';
import { usersOf } from './lock/users-lock.ts';
import { undoChange } from './undo-change.ts';

const entry = { id: '1', at: '', ...change };

const lineOf = (...changes: readonly object[]) =>
  changes.map((each) => `${JSON.stringify({ entry: { ...entry, ...each } })}\n`).join('');

const damage: [name: string, lines: string, damaged: number[]][] = [
  ['garbage between lines', '{"environment":"e"}\n\u0000\u0000\n{}\n', [2, 3]],
  ['an entry without its fields', '{"entry":{"id":"1"}}\n', [1]],
  ['an unknown operation', `${JSON.stringify({ entry: { id: '1', at: '', ...change, undo: '__proto__' } })}\n`, [1]],
  ['an undo of another change', lineOf({ undo: 'deleteItem', args: { id: 'i' } }), [1]],
  ['an undo that reports', lineOf({ undo: 'report' }), [1]],
  [
    'the undo of an undo, and of a profile',
    lineOf({ change: 'unblock', undo: 'block' }, { change: 'updateProfile', undo: 'updateProfile' }),
    [],
  ],
  ['a number for the client', lineOf({ clientId: 7 }), [1]],
  ['a user who is none', lineOf({ as: 'nobody' }), [1]],
  ['no arguments', lineOf({ args: undefined }), [1]],
  ['a state of no change', '{"accepted":1}\n', [1]],
  ['numbers for texts', `${JSON.stringify({ entry: { at: '', ...change, id: 1 } })}\n`, [1]],
  ['a torn last line', '{"environment":"e"}\n{"entry"', []],
];
for (const [name, lines, damaged] of damage) {
  test(`${name}: damaged lines ${JSON.stringify(damaged)}`, () => assert.deepEqual(readLines(lines).damaged, damaged));
}

for (const [undo, effect] of [
  ['unlove', 'reversible'],
  ['deleteItem', 'irreversible'],
] as const)
  test(`what takes back a love by ${undo} is ${effect}`, async () => {
    const sent: unknown[] = [];
    const exchange = async (operation: Operation) => {
      sent.push(operation.effect);
      return fakeExchange();
    };
    const love = { ...entry, change: 'love', undo, isAccepted: true, isUndone: false, isUndoSent: false } as const;
    await undoChange(love, { exchange } as unknown as CallingSession, environment, () => {});
    assert.deepEqual(sent, [effect]);
  });

test('a damaged journal of a dead run is reported, not passed over', () => {
  writeJournal('garbage\n');
  assert.throws(
    () => assertJournalsWhole(environment),
    /is damaged in line 1, so a change of a run may remain.*undo --env test --forget/,
  );
});

test('a journal torn at any byte loses no change but the one that was not sent yet', async () => {
  const journal = new Journal(environment);
  const all = [await noted(journal), await noted(journal, 'cleo')];
  const text = readFileSync(files()[0] ?? '', 'utf8');
  for (let length = 0; length <= text.length; length++) {
    const expected = all.slice(0, text.slice(0, length + 1).split('\n').length - 1).map(({ id }) => id);
    const { pending } = readLines(text.slice(0, length));
    assert.deepEqual(
      pending.map(({ id }) => id),
      expected,
      `torn after ${length} bytes`,
    );
  }
});

test('a journal that is written anew is on the disk before it has its name: a power cut must not empty it', (t) => {
  const path = writeJournal(['1', '2'].map((id) => `${JSON.stringify({ entry: { ...entry, id } })}\n`).join(''));
  const { renameSync } = fs;
  const done: string[] = [];
  replaceDisk(t, {
    fsyncSync: () => void done.push('flushed'),
    renameSync: (...args: Parameters<typeof renameSync>) => {
      done.push('named');
      renameSync(...args);
    },
  });
  noteInFile(path, { struck: '1', because: 'undone' });
  assert.deepEqual([done, onDisk().length], [['flushed', 'named'], 1]);
});

function writeJournal(text: string): string {
  writeFiles(journalFolder({ name: 'test' }), { 'a.jsonl': text });
  return files()[0] ?? '';
}

test('the journals of users belong to whoever holds their lock; those of an earlier edition to all', async () => {
  const another = { ...environment, caller: { ...environment.caller, userId: 'cleo' } };
  const lines = [{ environment: 'test' }, { entry }].map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFiles(journalFolder({ name: 'test' }), {
    [`${usersOf(environment)}-1-a.jsonl`]: lines,
    [`${usersOf(another)}-1-a.jsonl`]: lines,
    '1-a.jsonl': '{"owner":{"pid":1,"began":"1","host":"h"},"environment":"test","run":"r"}\n',
  });
  const lock = (of: typeof environment) => join(state, 'locks', `${usersOf(of)}.sqlite`);
  const live = () => readJournals(environment).map(({ path, isLive }) => [basename(path).slice(0, 2), isLive] as const);
  assert.deepEqual(
    live().map(([, isLive]) => isLive),
    [false, false, false],
  );
  const script = `
    import { tryLock } from ${JSON.stringify(join(import.meta.dirname, 'lock', 'exclusive-lock.ts'))};
    const release = tryLock(${JSON.stringify(lock(another))});
    process.stdout.write('held');
    setInterval(() => release.name, 1000);
  `;
  const child = startChild(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.deepEqual(
    live().filter(([, isLive]) => isLive),
    [[usersOf(another).slice(0, 2), true]],
  );
  assert.equal(readDeadJournals(environment).length, 2);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(readDeadJournals(environment).length, 3);
});
