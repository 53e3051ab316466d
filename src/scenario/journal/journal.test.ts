import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { change, files, noted, onDisk, replaceDisk, scenario, state } from '../../testing/journal-state.ts';
import { withLock } from './file-lock.ts';
import { JournalFailed, journalOf, undoLock } from './journal.ts';
import { discardJournals } from './journal-writer.ts';
import { readDeadJournals, readJournals } from './read-journals.ts';

test('a change is on disk, with its undo, when add resolves; the file goes soon after the last change', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const journal = journalOf('test', 'run');
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
  const journal = journalOf('test', 'run');
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
  assert.deepEqual([seen.sizes.size, onDisk(), readJournals('test')[0]?.damaged], [1, left, []]);
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
    const journal = journalOf('test', 'run');
    journal.strike((await journal.add({}, ${JSON.stringify(change)})).id, 'undone');
    if (process.argv[1] === 'kill') process.kill(process.pid, 'SIGKILL');
    process.exit();
  `;
  const left = (how: string) => {
    spawnSync(process.execPath, ['--input-type=module', '-e', script, how]);
    return readDeadJournals('test').map(({ pending, damaged }) => [...pending, ...damaged]);
  };
  assert.deepEqual(left('end'), []);
  assert.deepEqual(left('kill'), [[]]);
});

test('when the state folder is taken away, the next note finds what is still pending, too', async () => {
  const journal = journalOf('test', 'run');
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
  const noting = noted(journalOf('test', 'run')).then(() => (isNoted = true));
  await new Promise(setImmediate);
  assert.deepEqual([flushed, pending.length, isNoted], [['folder', 'folder'], 1, false]);
  pending[0]?.();
  await noting;
  assert.ok(isNoted);
});

test('one is closed before its folder goes, and the next change makes a new one', async () => {
  const journal = journalOf('test', 'run');
  journal.strike((await noted(journal)).id, 'undone');
  journal.undone((await noted(journal)).id);
  assert.equal(readJournals('test')[0]?.unseen.length, 1);
  assert.deepEqual(journal.pending(), onDisk());
  discardJournals();
  assert.deepEqual(files(), []);
  const again = await noted(journal);
  assert.deepEqual(onDisk(), [again]);
  journal.strike(again.id, 'undone');
});

test('a change that can’t be noted is not made', async () => {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'journal'), 'a file where the folder should be');
  await assert.rejects(noted(journalOf('test', 'run')), JournalFailed);
});

test('a change that is noted while somebody undoes is not sent before that is over', async () => {
  const journal = journalOf('test', 'run');
  const events: string[] = [];
  let adding: Promise<unknown> = Promise.resolve();
  await withLock(undoLock('test'), async () => {
    adding = noted(journal).then(() => events.push('the change may be sent'));
    // Its note is there for whoever undoes to see, and still it waits.
    while (onDisk().length === 0) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 200));
    events.push('the undo is over');
  });
  await adding;
  assert.deepEqual(events, ['the undo is over', 'the change may be sent']);
});

test('what a scenario could not undo is left to the next run, though this process lives on', async () => {
  const journal = journalOf('test', 'run');
  const left = await noted(journal);
  const kept = await journal.add({}, { ...change, args: { friendId: 'cleo' } });
  const pending = () => Object.fromEntries(readJournals('test').map(({ live, pending }) => [`${live}`, pending]));
  assert.deepEqual(pending(), { true: [left, kept] });
  journal.leave(scenario);
  assert.deepEqual(pending(), { true: [kept], false: [left] });
});

test('what is left to the next run is never seen without it: whoever undoes takes an empty journal of nobody away', async (t) => {
  const journal = journalOf('test', 'run');
  const left = await noted(journal);
  const { writeSync } = fs;
  const seen: unknown[] = [];
  replaceDisk(t, {
    writeSync: (...args: Parameters<typeof writeSync>) => {
      const written = writeSync(...args);
      seen.push(...readJournals('test').flatMap(({ live, pending }) => (live ? [] : [pending])));
      return written;
    },
  });
  journal.leave(scenario);
  // Once when it is released, and once when it is struck out in the journal of this process.
  assert.deepEqual(seen, [[left], [left]]);
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
  const journal = journalOf('test', 'run');
  const opened = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  await assert.rejects(noted(journal), /its undo could not be written\. .*its disk is full/);
  const before = opened();
  for (let n = 0; n < 20; n++) await assert.rejects(noted(journal), JournalFailed);
  assert.equal(opened(), before);
  assert.deepEqual(files(), []);
});

test('half a line, on a disk that is full for a while, spoils no later one', async (t) => {
  const journal = journalOf('test', 'run');
  const makeRoom = fullDisk(t, 3);
  const first = await noted(journal);
  await assert.rejects(noted(journal, 'cleo'), JournalFailed);
  makeRoom();
  assert.deepEqual([first, await noted(journal, 'dora')], onDisk());
  assert.deepEqual(readJournals('test')[0]?.damaged, []);
});

test('a disk that is only found full when it is flushed: no change is made, and what is left stays in this process’s own', async (t) => {
  const journal = journalOf('test', 'run');
  const first = await noted(journal);
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  replaceDisk(t, {
    fsync: (_descriptor: number, done: (error: Error) => void) => done(full),
    fsyncSync: () => {
      throw full;
    },
  });
  await assert.rejects(noted(journal, 'cleo'), /JournalFailed: .*its disk is full/);
  journal.leave(scenario);
  assert.deepEqual(
    readJournals('test').map(({ live, pending }) => [live, pending]),
    [[true, [first]]],
  );
});

test('what could not be flushed for the next run is in the journal of this process alone', async (t) => {
  const journal = journalOf('test', 'run');
  const left = await noted(journal);
  const { fsyncSync } = fs;
  let flushes = 0;
  replaceDisk(t, {
    fsyncSync: (descriptor: number) => {
      // The first two are its folders.
      if (++flushes > 2) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      fsyncSync(descriptor);
    },
  });
  journal.leave(scenario);
  assert.deepEqual(
    readJournals('test').map(({ live, pending }) => [live, pending]),
    [[true, [left]]],
  );
});
