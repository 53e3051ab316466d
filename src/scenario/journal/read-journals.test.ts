import assert from 'node:assert/strict';
import fs, { copyFileSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { undoes } from '../../client/index.ts';
import { change, files, noted, onDisk, replaceDisk, state } from '../../testing/journal-state.ts';
import { writeFiles } from '../../testing/own-folder.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { type Entry, readLines, touchesSame } from './entries.ts';
import { withLock } from './file-lock.ts';
import { journalFolder, journalOf } from './journal.ts';
import { type Owner, signsOfLife, thisProcess } from './owner.ts';
import { assertJournalsWhole, noteInFile, readDeadJournals, readJournals } from './read-journals.ts';
import { untilRunsAreClear } from './run-lock.ts';

const entry: Entry = { id: '1', at: '', ...change };

const sameness: [name: string, other: Partial<Entry>, undoes: boolean, touches: boolean][] = [
  ['the same', {}, true, true],
  ['another friend', { args: { friendId: 'cleo' } }, false, false],
  ['another user', { userId: 'ben' }, false, false],
  ['another address', { base: 'http://127.0.0.1:2/' }, false, false],
  ['another operation', { undo: 'unlove' }, false, false],
];
for (const [name, other, isUndone, isTouched] of sameness) {
  test(`${name}: undoes it ${isUndone}, touches the same ${isTouched}`, () => {
    assert.equal(undoes({ ...entry, ...other }, entry), isUndone);
    assert.equal(touchesSame({ ...entry, ...other }, entry), isTouched);
  });
}

test('another change of the same profile touches it, but does not undo it', () => {
  const put: Entry = { ...entry, change: 'updateProfile', undo: 'updateProfile', args: { includes: '', name: 'Ada' } };
  const other = { ...put, args: { includes: '', name: 'sextant-x' } };
  assert.equal(undoes(other, put), false);
  assert.equal(touchesSame(other, put), true);
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
  writeJournal('garbage\n');
  assert.throws(
    () => assertJournalsWhole('test'),
    /is damaged in line 1, so a change of a run may remain.*undo --env test --forget/,
  );
});

test('a journal torn at any byte loses no change but the one that was not sent yet', async () => {
  const journal = journalOf('test', 'run');
  const all = [await noted(journal), await noted(journal, 'cleo')];
  // Of the blanks behind the lines, some do for all.
  const text = `${readFileSync(files()[0] ?? '', 'utf8').trimEnd()}\n   `;
  for (let length = 0; length <= text.length; length++) {
    const whole = text.slice(0, length + 1).split('\n').length - 1;
    const expected = all.slice(0, Math.max(0, whole - 1));
    assert.deepEqual(readLines(text.slice(0, length)).pending, expected, `torn after ${length} bytes`);
  }
});

test('a journal that appears while others are read is read, too: a run that was killed may have left in it what it had in its own', (t) => {
  const path = writeJournal(`${JSON.stringify({ owner: 'nobody', environment: 'test', run: 'r' })}\n`);
  const { openSync } = fs;
  replaceDisk(t, {
    openSync: (...args: Parameters<typeof openSync>) => {
      if (args[0] === path) copyFileSync(path, join(journalFolder('test'), 'b.jsonl'));
      return openSync(...args);
    },
  });
  assert.equal(readJournals('test').length, 2);
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

test('a journal whose first line was never finished is left alone while it may be being written', () => {
  const path = writeJournal('{"owner":{"pi');
  assert.equal(readJournals('test')[0]?.live, true);
  age(path, 31);
  assert.equal(readJournals('test')[0]?.live, false);
});

/** A process of another machine. */
const elsewhere: Owner = { ...thisProcess(), host: 'elsewhere' };

/** Has a file be as old as if nobody had renewed it since. */
function age(path: string, seconds: number): void {
  const time = new Date(Date.now() - seconds * 1_000);
  utimesSync(path, time, time);
}

function writeJournal(text: string): string {
  writeFiles(journalFolder('test'), { 'a.jsonl': text });
  return files()[0] ?? '';
}

function journalElsewhere(): string {
  const lines = [{ owner: elsewhere, environment: 'test', run: 'r' }, { entry }];
  return writeJournal(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

test('a run on another machine is left alone while it renews its journal, and is dead when it doesn’t', () => {
  const path = journalElsewhere();
  assert.deepEqual(readDeadJournals('test'), []);
  age(path, 25);
  assert.deepEqual(readDeadJournals('test'), []);
  age(path, 31);
  assert.equal(readDeadJournals('test').length, 1);
  noteInFile(path, { accepted: '1' });
  assert.equal(readDeadJournals('test').length, 1, 'though its file has changed');
  assert.equal(onDisk().length, 1);
});

test('after this machine slept, the others on it have a moment to renew theirs', (t) => {
  age(journalElsewhere(), 3_600);
  assert.equal(readDeadJournals('test').length, 1);
  const { now } = Date;
  t.mock.method(Date, 'now', () => now() + 3_600_000);
  assert.deepEqual(readDeadJournals('test'), []);
  const later = performance.now() + 5_000;
  t.mock.method(performance, 'now', () => later);
  assert.equal(readDeadJournals('test').length, 1);
});

test('a run waits for what is unclear: until the other renews its journal, or is dead', async () => {
  const path = journalElsewhere();
  const environment = testEnvironment('http://127.0.0.1:9');
  for (const end of [() => age(path, 1), () => age(path, 31)]) {
    let isClear = false;
    const clear = untilRunsAreClear(environment).then(() => (isClear = true));
    await wait(300);
    assert.ok(!isClear);
    end();
    await clear;
  }
});

test('the lock of a process of another machine is taken over when it renews it no more', async () => {
  const lock = join(state, 'test.lock');
  writeFiles(state, { 'test.lock': elsewhere });
  let isTaken = false;
  const taken = withLock(lock, async () => (isTaken = true));
  await wait(200);
  assert.ok(!isTaken);
  age(lock, 31);
  await taken;
});

test('a process renews its files, by the clock of their file system', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const path = journalElsewhere();
  const text = readFileSync(path, 'utf8');
  const signs = signsOfLife(path);
  t.after(() => signs.end());
  age(path, 31);
  t.mock.timers.tick(2_000);
  assert.deepEqual(readDeadJournals('test'), []);
  assert.equal(readFileSync(path, 'utf8'), text);
});
