import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { change, onDisk, replaceDisk, scenario, state } from '../../testing/journal-state.ts';
import { withLock } from './file-lock.ts';
import { Journal, JournalFailed, journalFolder, undoLock } from './journal.ts';
import { discardJournals } from './journal-writer.ts';
import { readDeadJournals, readJournals } from './read-journals.ts';

test('a change is on disk, with its undo, when add resolves; the file goes soon after the last change', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const journal = new Journal('test', 'run');
  const first = await journal.add(scenario, change);
  const second = await journal.add(scenario, { ...change, args: { friendId: 'cleo' } });
  assert.deepEqual(onDisk(), [first, second]);
  journal.strike(first.id, 'undone');
  assert.deepEqual(onDisk(), [second]);
  journal.strike(second.id, 'undone');
  assert.deepEqual(onDisk(), []);
  const third = await journal.add(scenario, change);
  assert.deepEqual(onDisk(), [third]);
  t.mock.timers.tick(3_600_000);
  assert.deepEqual(onDisk(), [third], 'a pending change stays');
  journal.strike(third.id, 'undone');
  assert.equal(readdirSync(journalFolder('test')).length, 1);
  t.mock.timers.tick(3_600_000);
  assert.deepEqual(readdirSync(journalFolder('test')), []);
  assert.deepEqual(await journal.add(scenario, change), onDisk()[0]);
});

test('a note makes the file no longer, so that the disk has only the note to write', async () => {
  const journal = new Journal('test', 'run');
  const sizes = new Set<number>();
  for (let n = 0; n < 20; n++) {
    await journal.add(scenario, change);
    sizes.add(statSync(join(journalFolder('test'), readdirSync(journalFolder('test'))[0] ?? '')).size);
  }
  assert.equal(sizes.size, 1);
  assert.equal(onDisk().length, 20);
  assert.deepEqual(
    readJournals('test').map(({ damaged }) => damaged),
    [[]],
  );
});

test('scenario after scenario uses one file, which never gets long', async () => {
  const journal = new Journal('test', 'run');
  const names = new Set<string>();
  for (let n = 0; n < 200; n++) {
    journal.strike((await journal.add(scenario, change)).id, 'undone');
    const [name = ''] = readdirSync(journalFolder('test'));
    names.add(name);
    assert.ok(statSync(join(journalFolder('test'), name)).size < 40_000);
    assert.deepEqual(onDisk(), []);
  }
  assert.equal(names.size, 1);
});

test('a process that ends with nothing pending leaves no file behind; one that is killed leaves one that is taken away', async () => {
  const script = `
    import { Journal } from ${JSON.stringify(join(import.meta.dirname, 'journal.ts'))};
    const journal = new Journal('test', 'run');
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
  const journal = new Journal('test', 'run');
  const first = await journal.add(scenario, change);
  rmSync(state, { recursive: true });
  const second = await journal.add(scenario, { ...change, args: { friendId: 'cleo' } });
  assert.deepEqual(onDisk(), [first, second]);
});

test('add waits until the disk has the note: file and folder are flushed', async (t) => {
  const flushed: string[] = [];
  const pending: (() => void)[] = [];
  replaceDisk(t, {
    fsyncSync: () => void flushed.push('folder'),
    fsync: (_descriptor: number, done: () => void) => void pending.push(done),
  });
  let isNoted = false;
  const noting = new Journal('test', 'run').add(scenario, change).then(() => {
    isNoted = true;
  });
  await new Promise(setImmediate);
  assert.deepEqual([flushed, pending.length, isNoted], [['folder', 'folder'], 1, false]);
  pending[0]?.();
  await noting;
  assert.ok(isNoted);
});

test('one is closed before its folder goes, and the next change makes a new one', async () => {
  const journal = new Journal('test', 'run');
  journal.strike((await journal.add(scenario, change)).id, 'undone');
  journal.undone((await journal.add(scenario, change)).id);
  assert.equal(readJournals('test')[0]?.unseen.length, 1);
  discardJournals();
  assert.deepEqual(readdirSync(journalFolder('test')), []);
  const again = await journal.add(scenario, change);
  assert.deepEqual(onDisk(), [again]);
  journal.strike(again.id, 'undone');
});

test('a change that can’t be noted is not made', async () => {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'journal'), 'a file where the folder should be');
  await assert.rejects(new Journal('test', 'run').add(scenario, change), JournalFailed);
});

test('a change that is noted while somebody undoes is not sent before that is over', async () => {
  const journal = new Journal('test', 'run');
  let isNoted = false;
  const events: string[] = [];
  const noted = () => journal.add(scenario, change).then(() => events.push('the change may be sent'));
  let adding: Promise<unknown> = Promise.resolve();
  await withLock(undoLock('test'), async () => {
    adding = noted();
    // Its note is there for whoever undoes to see, and still it waits.
    while (!isNoted) {
      isNoted = onDisk().length === 1;
      await new Promise(setImmediate);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    events.push('the undo is over');
  });
  await adding;
  assert.deepEqual(events, ['the undo is over', 'the change may be sent']);
});

test('what a scenario could not undo is left to the next run, though this process lives on', async () => {
  const journal = new Journal('test', 'run');
  const other = {};
  const left = await journal.add(scenario, change);
  const kept = await journal.add(other, { ...change, args: { friendId: 'cleo' } });
  assert.deepEqual(
    readJournals('test').map(({ live }) => live),
    [true],
  );
  journal.leave(scenario);
  const files = readJournals('test');
  assert.deepEqual(files.find(({ live }) => live)?.pending, [kept]);
  assert.deepEqual(files.find(({ live }) => !live)?.pending, [left]);
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
  const journal = new Journal('test', 'run');
  const opened = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  await assert.rejects(journal.add(scenario, change), /its undo could not be written\. .*its disk is full/);
  const before = opened();
  for (let n = 0; n < 20; n++) await assert.rejects(journal.add(scenario, change), JournalFailed);
  assert.equal(opened(), before);
  assert.deepEqual(readdirSync(journalFolder('test')), []);
});

test('half a line, on a disk that is full for a while, spoils no later one', async (t) => {
  const journal = new Journal('test', 'run');
  const makeRoom = fullDisk(t, 3);
  const first = await journal.add(scenario, change);
  await assert.rejects(journal.add(scenario, { ...change, args: { friendId: 'cleo' } }), JournalFailed);
  makeRoom();
  const third = await journal.add(scenario, { ...change, args: { friendId: 'dora' } });
  assert.deepEqual(onDisk(), [first, third]);
  assert.deepEqual(
    readJournals('test').map(({ damaged }) => damaged),
    [[]],
  );
});
