import assert from 'node:assert/strict';
import fs, { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type change, environment, files, noted, onDisk, replaceDisk, state } from '../testing/journal-state.ts';
import { Journal, JournalFailed } from './journal.ts';
import { JournalFiles } from './journal-file.ts';
import { leftoversOf, readJournals } from './leftovers.ts';

const argsOnDisk = () => onDisk().map(({ args }) => args);

test('a change is on disk, with its undo, when add resolves; the file goes with its scenario, if nothing is left', async () => {
  const journal = new Journal(environment);
  const [first, second] = [await noted(journal), await noted(journal, 'cleo')];
  assert.deepEqual(
    onDisk(),
    [first, second].map((each) => ({ ...each, isAccepted: false, isUndone: false, isUndoSent: false })),
  );
  journal.strike(first.id, 'undone');
  journal.made(second.id, true);
  journal.undone(second.id);
  assert.deepEqual(onDisk(), [
    { ...second, isAccepted: true, isUndone: true, undoSentAt: undefined, isUndoSent: false },
  ]);
  journal.strike(second.id, 'undone');
  assert.deepEqual([onDisk(), files().length], [[], 1]);
  journal.end();
  assert.deepEqual(files(), []);
});

test('what a scenario notes after its end is in its file all the same', async () => {
  const journal = new Journal(environment);
  const [first, second] = [await noted(journal), await noted(journal, 'cleo')];
  journal.end();
  journal.made(first.id, true);
  assert.deepEqual(
    onDisk().map(({ isAccepted }) => isAccepted),
    [true, false],
  );
  journal.strike(first.id, 'undone');
  assert.deepEqual(argsOnDisk(), [{ friendId: 'cleo' }]);
  journal.strike(second.id, 'undone');
  assert.deepEqual(files(), []);
  await assert.rejects(noted(journal), /JournalFailed: block was not sent: its scenario is over/);
});

test('scenarios of a run hand on the file of a journal in which nothing is left', async () => {
  const run = new JournalFiles();
  const left = () => run.left(() => leftoversOf(environment));
  const names = (all: readonly { args: unknown }[]) =>
    all.map(({ args }) => (args as typeof change.args).friendId).sort();
  const play = async (friendId: string, isUndone: boolean) => {
    const before = left();
    const journal = new Journal(environment, before, run);
    const { id } = await noted(journal, friendId);
    assert.deepEqual(
      names(onDisk()),
      names([...before, { args: { friendId } }]),
      'of earlier ones nothing is left in it',
    );
    if (isUndone) journal.strike(id, 'undone');
    journal.end();
    return names(before);
  };
  assert.deepEqual(await play('ben', true), []);
  const [first] = files();
  assert.deepEqual(await play('cleo', true), []);
  assert.deepEqual(files(), [first], 'it is the same file');
  assert.deepEqual([readJournals(environment)[0]?.isLive, onDisk()], [true, []], 'another process leaves it alone');
  assert.deepEqual(await play('dora', false), [], 'what this scenario leaves stays in its file');
  assert.deepEqual(await play('ella', true), ['dora'], 'the next scenario knows of it');
  rmSync(files().find((file) => file !== first) ?? '');
  assert.deepEqual(await play('fay', false), ['dora'], 'a file that somebody has removed is not handed on');
  assert.deepEqual(names(onDisk()), ['dora', 'fay']);
  run.end();
  assert.equal(files().length, 2, 'what is left outlives the run');
  for (const each of leftoversOf(environment)) each.strike('undone');
  assert.deepEqual(files(), []);
});

test('add waits until the disk has the note: file and folder are flushed', async (t) => {
  const flushed: string[] = [];
  const pending: (() => void)[] = [];
  replaceDisk(t, {
    fsyncSync: () => void flushed.push('folder'),
    fsync: (_descriptor: number, done: () => void) => void pending.push(done),
  });
  let isNoted = false;
  const noting = noted(new Journal(environment)).then(() => (isNoted = true));
  await new Promise(setImmediate);
  assert.deepEqual([flushed, pending.length, isNoted], [['folder', 'folder'], 1, false]);
  pending[0]?.();
  await noting;
  assert.ok(isNoted);
});

test('a change that can’t be noted is not made', async () => {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'journal'), 'a file where the folder should be');
  await assert.rejects(noted(new Journal(environment)), JournalFailed);
});

test('what a scenario could not undo is left to the sweep, though this process lives on; equal changes are left once', async () => {
  const journal = new Journal(environment);
  const [first] = [await noted(journal), await noted(journal), await noted(journal, 'cleo')];
  journal.made(first.id, true);
  assert.deepEqual(leftoversOf(environment), [], 'its scenario goes on');
  journal.end();
  const left = () =>
    leftoversOf(environment).map(({ args, isAccepted }) => [(args as typeof change.args).friendId, isAccepted]);
  assert.deepEqual(
    left().sort(),
    [
      ['ben', true],
      ['cleo', false],
    ],
    'one of the equal ones was certainly made',
  );
  const next = new Journal(environment, leftoversOf(environment));
  await noted(next);
  next.end();
  assert.deepEqual(left().sort(), [
    ['ben', true],
    ['cleo', false],
  ]);
  for (const each of leftoversOf(environment)) each.strike('undone');
  assert.deepEqual(files(), []);
});

test('what was left before and this scenario undoes is struck where it was left', async () => {
  const journal = new Journal(environment);
  await noted(journal);
  journal.end();
  const next = new Journal(environment, leftoversOf(environment));
  const [left] = next.sent();
  assert.ok(left && next.has(left.id));
  next.undone(left.id);
  assert.equal(onDisk()[0]?.isUndone, true);
  next.strike(left.id, 'no longer shown');
  assert.deepEqual([files(), next.sent()], [[], []]);
});

/** Simulates a full disk from the `from`th write on: that write stores half of its bytes, and later ones fail. */
function fullDisk(t: TestContext, from: number): () => void {
  const { writeSync } = fs;
  let writes = 0;
  return replaceDisk(t, {
    writeSync: (descriptor: number, bytes: Buffer, offset: number, length: number, at: number) => {
      if (++writes < from) return writeSync(descriptor, bytes, offset, length, at);
      if (writes === from) return writeSync(descriptor, bytes, offset, Math.floor(length / 2), at);
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
  });
}

test('on a full disk no change is made, and its scenario leaves neither a file nor an open one', async (t) => {
  fullDisk(t, 1);
  const journal = new Journal(environment);
  const opened = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  await assert.rejects(noted(journal), /its undo could not be written\. .*its disk is full/);
  const before = opened();
  for (let n = 0; n < 20; n++) await assert.rejects(noted(journal), JournalFailed);
  assert.equal(opened(), before);
  journal.end();
  assert.deepEqual(files(), []);
});

test('half a line, on a disk that is full for a while, spoils no later one', async (t) => {
  const journal = new Journal(environment);
  const makeRoom = fullDisk(t, 2);
  const first = await noted(journal);
  await assert.rejects(noted(journal, 'cleo'), JournalFailed);
  makeRoom();
  await noted(journal, 'dora');
  assert.deepEqual(argsOnDisk(), [first.args, { friendId: 'dora' }]);
  assert.deepEqual(readJournals(environment)[0]?.damaged, []);
});

test('a disk that is only found full when it is flushed: no change is made', async (t) => {
  const journal = new Journal(environment);
  const first = await noted(journal);
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  replaceDisk(t, {
    fsync: (_descriptor: number, done: (error: Error) => void) => done(full),
    fsyncSync: () => {
      throw full;
    },
  });
  await assert.rejects(noted(journal, 'cleo'), /JournalFailed: .*its disk is full/);
  assert.deepEqual(argsOnDisk(), [first.args]);
  journal.strike(first.id, 'undone');
});
