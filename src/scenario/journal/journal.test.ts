import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { assertJournalsWhole } from './assert-whole.ts';
import { readLines } from './entries.ts';
import { withLock } from './file-lock.ts';
import { Journal, JournalFailed, journalFolder, undoLock } from './journal.ts';
import { readDeadJournals, readJournals } from './read-journals.ts';

const state = mkdtempSync(join(tmpdir(), 'sextant-journal-'));
process.env.SEXTANT_STATE = state;
after(() => rmSync(state, { recursive: true, force: true }));
beforeEach(() => rmSync(state, { recursive: true, force: true }));

const scenario = {};
const change = {
  change: 'block',
  undo: 'unblock',
  args: { friendId: 'ben' },
  as: 'caller',
  userId: 'ada',
  base: 'http://127.0.0.1:1/',
} as const;

const onDisk = () => readJournals('test').flatMap(({ pending }) => pending);

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

test('scenario after scenario uses one file, which stays as small as its first line', async () => {
  const journal = new Journal('test', 'run');
  const sizes = new Set<string>();
  for (let n = 0; n < 20; n++) {
    journal.strike((await journal.add(scenario, change)).id, 'undone');
    const [name = ''] = readdirSync(journalFolder('test'));
    sizes.add(`${name} ${statSync(join(journalFolder('test'), name)).size}`);
  }
  assert.equal(sizes.size, 1);
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
  t.mock.method(fs, 'fsyncSync', () => void flushed.push('folder'));
  t.mock.method(fs, 'fsync', (_descriptor: number, done: () => void) => void pending.push(done));
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
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

test('a change that can’t be noted is not made', async () => {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'journal'), 'a file where the folder should be');
  await assert.rejects(new Journal('test', 'run').add(scenario, change), JournalFailed);
});

/** Lets the disk be full from the `from`th write on; a write that finds a little room writes half. */
function fullDisk(t: TestContext, from: number): { end(): void } {
  const { writeSync } = fs;
  let writes = 0;
  const end = () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  };
  t.mock.method(fs, 'writeSync', (descriptor: number, bytes: Buffer) => {
    if (++writes < from) return writeSync(descriptor, bytes);
    if (writes === from) return writeSync(descriptor, bytes.subarray(0, bytes.length / 2));
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  t.after(end);
  return { end };
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
  const disk = fullDisk(t, 3);
  const first = await journal.add(scenario, change);
  await assert.rejects(journal.add(scenario, { ...change, args: { friendId: 'cleo' } }), JournalFailed);
  disk.end();
  const third = await journal.add(scenario, { ...change, args: { friendId: 'dora' } });
  assert.deepEqual(onDisk(), [first, third]);
  assert.deepEqual(
    readJournals('test').map(({ damaged }) => damaged),
    [[]],
  );
});

const damage: [name: string, lines: string, damaged: number[]][] = [
  ['garbage between lines', '{"owner":"nobody","environment":"e","run":"r"}\n\u0000\u0000\n{}\n', [2, 3]],
  ['an entry without its fields', '{"entry":{"id":"1"}}\n', [1]],
  ['an unknown operation', `${JSON.stringify({ entry: { id: '1', at: '', ...change, undo: '__proto__' } })}\n`, [1]],
  ['numbers for texts', `${JSON.stringify({ entry: { at: '', ...change, id: 1 } })}\n`, [1]],
  ['a torn last line', '{"owner":"nobody","environment":"e","run":"r"}\n{"entry"', []],
];
for (const [name, lines, damaged] of damage) {
  test(`${name}: damaged lines ${JSON.stringify(damaged)}`, () => assert.deepEqual(readLines(lines).damaged, damaged));
}

test('a damaged journal of a dead run is reported, not passed over', () => {
  mkdirSync(journalFolder('test'), { recursive: true });
  writeFileSync(join(journalFolder('test'), 'a.jsonl'), 'garbage\n');
  assert.throws(
    () => assertJournalsWhole('test'),
    /is damaged in line 1, so a change of a run may remain.*undo --env test --forget/,
  );
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

test('a journal torn at any byte loses no change but the one that was not sent yet', async () => {
  const journal = new Journal('test', 'run');
  const first = await journal.add(scenario, change);
  const second = await journal.add(scenario, { ...change, args: { friendId: 'cleo' } });
  const [file] = readJournals('test');
  const text = readFileSync(file?.path ?? '', 'utf8');
  const ends = [...text].flatMap((character, index) => (character === '\n' ? [index] : []));
  for (let length = 0; length <= text.length; length++) {
    const whole = ends.filter((end) => end <= length).length;
    const expected = [first, second].slice(0, Math.max(0, whole - 1));
    assert.deepEqual(readLines(text.slice(0, length)).pending, expected, `torn after ${length} bytes`);
  }
});

test('a journal whose first line was never finished is left alone while it is young', () => {
  const path = join(journalFolder('test'), 'torn.jsonl');
  mkdirSync(journalFolder('test'), { recursive: true });
  writeFileSync(path, '{"owner":{"pi');
  assert.equal(readJournals('test', Date.now())[0]?.live, true);
  utimesSync(path, 0, 0);
  assert.equal(readJournals('test', Date.now())[0]?.live, false);
});
