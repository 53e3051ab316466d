import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('a file that is wanted again soon after it went is kept until the next runs of a monitor', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const journal = new Journal('test', 'run');
  const afterRun = async (pauseMs: number) => {
    journal.strike((await journal.add(scenario, change)).id, 'undone');
    t.mock.timers.tick(pauseMs);
    return readdirSync(journalFolder('test'));
  };
  assert.deepEqual(await afterRun(60_000), []);
  const [kept] = await afterRun(60_000);
  assert.ok(kept);
  assert.deepEqual(await afterRun(60_000), [kept]);
  assert.deepEqual(await afterRun(120_000), []);
});

test('changes that are noted while the disk is busy share its next flush, and none is done before it', async (t) => {
  const flushes: (() => void)[] = [];
  replaceDisk(t, { fsync: (_: number, done: (error: null) => void) => flushes.push(() => done(null)) });
  const journal = new Journal('test', 'run');
  const done: string[] = [];
  const add = (friendId: string) =>
    journal.add(scenario, { ...change, args: { friendId } }).then(() => done.push(friendId));
  const first = add('ben');
  const later = [add('cleo'), add('dan')];
  assert.equal(flushes.length, 1);
  flushes[0]?.();
  await first;
  assert.deepEqual(done, ['ben'], 'the others were written after this flush began');
  assert.equal(onDisk().length, 3);
  const last = add('eve');
  assert.equal(flushes.length, 2);
  flushes[1]?.();
  await Promise.all(later);
  assert.deepEqual(done, ['ben', 'cleo', 'dan']);
  while (flushes.length < 3) await new Promise(setImmediate);
  flushes[2]?.();
  await last;
  assert.equal(flushes.length, 3);
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

test('many at once are all kept', async () => {
  const journal = new Journal('test', 'run');
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, n) => journal.add(scenario, { ...change, args: { friendId: String(n) } })),
  );
  assert.deepEqual(onDisk(), all);
  for (const { id } of all.slice(1)) journal.strike(id, 'undone');
  assert.deepEqual(onDisk(), all.slice(0, 1));
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
