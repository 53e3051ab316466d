import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  change,
  environment,
  files,
  noted,
  onDisk,
  replaceDisk,
  scenario,
  state,
} from '../../testing/journal-state.ts';
import { JournalFailed, journalOf } from './journal.ts';
import { discardJournals } from './journal-file.ts';
import { readDeadJournals, readJournals } from './read-journals.ts';

test('a change is on disk, with its undo, when add resolves; the file goes soon after the last change', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const journal = journalOf(environment);
  const [first, second] = [await noted(journal), await noted(journal, 'cleo')];
  assert.deepEqual(onDisk(), [first, second]);
  assert.deepEqual(journal.pending(), onDisk());
  journal.strike(first.id, 'undone');
  assert.deepEqual(onDisk(), [second]);
  journal.strike(second.id, 'undone');
  assert.deepEqual(onDisk(), []);
  const third = await noted(journal);
  assert.deepEqual(onDisk(), [third]);
  t.mock.timers.tick(3_600_000);
  assert.deepEqual(onDisk(), [third], 'a pending change stays');
  journal.strike(third.id, 'undone');
  assert.equal(files().length, 1);
  t.mock.timers.tick(3_600_000);
  assert.deepEqual(files(), []);
  assert.deepEqual(await noted(journal), onDisk()[0]);
});

test('a note makes the file no longer, so that the disk has only the note to write; one file does, and never gets long', async () => {
  const journal = journalOf(environment);
  const seen = { names: new Set<string>(), sizes: new Set<number>() };
  const look = () => {
    const [name = ''] = files();
    seen.names.add(name);
    seen.sizes.add(statSync(name).size);
  };
  const left = [];
  for (let n = 0; n < 20; n++) {
    left.push(await noted(journal));
    look();
  }
  assert.deepEqual([seen.sizes.size, onDisk(), readJournals(environment)[0]?.damaged], [1, left, []]);
  for (const { id } of left) journal.strike(id, 'undone');
  for (let n = 0; n < 200; n++) {
    journal.strike((await noted(journal)).id, 'undone');
    look();
    assert.deepEqual(onDisk(), []);
  }
  assert.equal(seen.names.size, 1);
  assert.ok(Math.max(...seen.sizes) < 40_000);
});

test('a process that ends with nothing pending leaves no file behind; one that is killed leaves one that is taken away', async () => {
  const script = `
    import { journalOf } from ${JSON.stringify(join(import.meta.dirname, 'journal.ts'))};
    import { environment } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'testing', 'journal-state.ts'))};
    process.env.SEXTANT_STATE = ${JSON.stringify(state)};
    const journal = journalOf(environment);
    journal.strike((await journal.add({}, ${JSON.stringify(change)})).id, 'undone');
    if (process.argv[1] === 'kill') process.kill(process.pid, 'SIGKILL');
    process.exit();
  `;
  const left = (how: string) => {
    spawnSync(process.execPath, ['--input-type=module', '-e', script, how]);
    return readDeadJournals(environment).map(({ pending, damaged }) => [...pending, ...damaged]);
  };
  assert.deepEqual(left('end'), []);
  assert.deepEqual(left('kill'), [[]]);
});

test('when the state folder is taken away, the next note finds what is still pending, too', async () => {
  const journal = journalOf(environment);
  const first = await noted(journal);
  rmSync(state, { recursive: true });
  assert.deepEqual([first, await noted(journal, 'cleo')], onDisk());
});

test('add waits until the disk has the note: file and folder are flushed', async (t) => {
  const flushed: string[] = [];
  const pending: (() => void)[] = [];
  replaceDisk(t, {
    fsyncSync: () => void flushed.push('folder'),
    fsync: (_descriptor: number, done: () => void) => void pending.push(done),
  });
  let isNoted = false;
  const noting = noted(journalOf(environment)).then(() => (isNoted = true));
  await new Promise(setImmediate);
  assert.deepEqual([flushed, pending.length, isNoted], [['folder', 'folder'], 1, false]);
  pending[0]?.();
  await noting;
  assert.ok(isNoted);
});

test('one is closed before its folder goes, and the next change makes a new one', async () => {
  const journal = journalOf(environment);
  journal.strike((await noted(journal)).id, 'undone');
  discardJournals();
  assert.deepEqual(files(), []);
  const again = await noted(journal);
  assert.deepEqual(onDisk(), [again]);
  journal.strike(again.id, 'undone');
});

test('a change that can’t be noted is not made', async () => {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'journal'), 'a file where the folder should be');
  await assert.rejects(noted(journalOf(environment)), JournalFailed);
});

test('what a scenario could not undo is left to the sweep, though this process lives on; equal changes are left once', async () => {
  const journal = journalOf(environment);
  const [first, second] = [await noted(journal), await noted(journal)];
  journal.made(first.id, true);
  const kept = await journal.add({}, { ...change, args: { friendId: 'cleo' } });
  assert.deepEqual(journal.left(), []);
  journal.leave(scenario);
  const left = () => journal.left().map(({ id, isAccepted }) => [id, isAccepted]);
  assert.deepEqual(left(), [[second.id, true]], 'one of them was certainly made');
  assert.deepEqual(onDisk(), [second, kept]);
  const another = {};
  const third = await journal.add(another, change);
  journal.leave(another);
  assert.deepEqual(left(), [[third.id, true]]);
  for (const each of journal.left()) each.strike('undone');
  assert.deepEqual(onDisk(), [kept]);
  journal.strike(kept.id, 'undone');
});

test('a change that can’t be undone for days does not make the file grow, and is in it all the time', async () => {
  const journal = journalOf(environment);
  const stays = await noted(journal);
  const sizes: number[] = [];
  for (let n = 0; n < 200; n++) {
    journal.strike((await noted(journal, 'cleo')).id, 'undone');
    assert.deepEqual(onDisk(), [stays]);
    assert.equal(files().length, 1);
    sizes.push(statSync(files()[0] ?? '').size);
  }
  assert.ok(Math.max(...sizes) < 40_000);
  journal.strike(stays.id, 'undone');
});

/** Lets the disk be full from the `from`th write on; a write that finds a little room writes half. */
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

test('on a full disk no change is made, and each try leaves neither a file nor an open one', async (t) => {
  fullDisk(t, 1);
  const journal = journalOf(environment);
  const opened = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  await assert.rejects(noted(journal), /its undo could not be written\. .*its disk is full/);
  const before = opened();
  for (let n = 0; n < 20; n++) await assert.rejects(noted(journal), JournalFailed);
  assert.equal(opened(), before);
  assert.deepEqual(files(), []);
});

test('half a line, on a disk that is full for a while, spoils no later one', async (t) => {
  const journal = journalOf(environment);
  const makeRoom = fullDisk(t, 3);
  const first = await noted(journal);
  await assert.rejects(noted(journal, 'cleo'), JournalFailed);
  makeRoom();
  assert.deepEqual([first, await noted(journal, 'dora')], onDisk());
  assert.deepEqual(readJournals(environment)[0]?.damaged, []);
});

test('a disk that is only found full when it is flushed: no change is made', async (t) => {
  const journal = journalOf(environment);
  const first = await noted(journal);
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  replaceDisk(t, {
    fsync: (_descriptor: number, done: (error: Error) => void) => done(full),
    fsyncSync: () => {
      throw full;
    },
  });
  await assert.rejects(noted(journal, 'cleo'), /JournalFailed: .*its disk is full/);
  assert.deepEqual(onDisk(), [first]);
  journal.strike(first.id, 'undone');
});
