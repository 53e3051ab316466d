import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { undoes } from '../../client/index.ts';
import { change, scenario } from '../../testing/journal-state.ts';
import { type Entry, readLines, touchesSame } from './entries.ts';
import { Journal, journalFolder } from './journal.ts';
import { assertJournalsWhole, readJournals } from './read-journals.ts';

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
  mkdirSync(journalFolder('test'), { recursive: true });
  writeFileSync(join(journalFolder('test'), 'a.jsonl'), 'garbage\n');
  assert.throws(
    () => assertJournalsWhole('test'),
    /is damaged in line 1, so a change of a run may remain.*undo --env test --forget/,
  );
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

test('a journal whose first line was never finished is left alone while it may be being written', (t) => {
  const path = join(journalFolder('test'), 'torn.jsonl');
  mkdirSync(journalFolder('test'), { recursive: true });
  writeFileSync(path, '{"owner":{"pi');
  assert.equal(readJournals('test')[0]?.live, true);
  let now = performance.now();
  t.mock.method(performance, 'now', () => (now += 5_001));
  const lives = Array.from({ length: 6 }, () => readJournals('test')[0]?.live);
  assert.deepEqual(lives, [true, true, true, true, true, false]);
});
