import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { undoes } from '../../client/index.ts';
import { change, onDisk, scenario, state } from '../../testing/journal-state.ts';
import { type Entry, readLines, touchesSame } from './entries.ts';
import { withLock } from './file-lock.ts';
import { Journal, journalFolder } from './journal.ts';
import { lifeOf, type Owner, signsOfLife, thisProcess } from './owner.ts';
import { assertJournalsWhole, noteInFile, readDeadJournals, readJournals } from './read-journals.ts';

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

const DAY = 86_400_000;
const began = Date.now();
let machines = 0;
/** A process of a machine that no other test knows. */
const elsewhere = (): Owner => ({ ...thisProcess(), host: `elsewhere ${++machines}` });

/** What looks at a process find: seconds on this process's own clock, the time of its file, and its life. */
const histories: Readonly<Record<string, string>> = {
  'at first it is unclear': '0 0 unclear, 1 0 unclear',
  'a change is a sign of life': '0 0 unclear, 2 2 live, 20 2 live',
  'a clock that is set back is one, too': `0 ${DAY} unclear, 2 2 live`,
  'one that never changes is dead':
    '0 0 unclear, 5 0 unclear, 10 0 unclear, 15 0 unclear, 20 0 unclear, 25 0 unclear, 30 0 dead',
  'many looks at once count as one': '0 0 unclear, 5 0 unclear, 6 0 unclear, 7 0 unclear, 8 0 unclear, 9.9 0 unclear',
  'a look after a long time counts as one': '0 0 unclear, 3600 0 unclear, 3601 1 live',
};
for (const [name, looks] of Object.entries(histories))
  for (const [clock, ahead] of [
    ['the same', 0],
    ['a day ahead', DAY],
    ['a day behind', -DAY],
  ] as const)
    test(`a process on another machine: ${name}; its clock is ${clock}`, () => {
      const [owner, path] = [elsewhere(), join(state, `machine-${machines}`, 'a')];
      for (const look of looks.split(', ')) {
        const [s, sign, life] = look.split(' ');
        const time = began + ahead + Number(sign);
        assert.equal(lifeOf(path, owner, `${time}`, Number(s) * 1_000), life, `after ${s} s`);
      }
    });

/** Each look is 5 s after the one before. */
function quickClock(t: TestContext): void {
  let now = performance.now();
  t.mock.method(performance, 'now', () => (now += 5_001));
}

function journalElsewhere(ahead: number, owner = elsewhere()): string {
  const path = join(journalFolder('test'), `${machines}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const entry = { id: '1', at: '', ...change };
  writeFileSync(path, `${JSON.stringify({ owner, environment: 'test', run: 'r' })}\n${JSON.stringify({ entry })}\n`);
  shows(path, ahead);
  return path;
}

function shows(path: string, ahead: number): void {
  const time = new Date(Date.now() + ahead);
  utimesSync(path, time, time);
}

for (const ahead of [-DAY, 0, DAY]) {
  test(`a live run is left alone, and a dead one is found, with a clock ${ahead / DAY} days ahead`, (t) => {
    quickClock(t);
    const path = journalElsewhere(ahead);
    for (let look = 0; look < 20; look++) {
      assert.deepEqual(readDeadJournals('test'), []);
      shows(path, ahead + look + 1);
    }
    for (let look = 0; look < 6; look++) assert.deepEqual(readDeadJournals('test'), []);
    assert.equal(readDeadJournals('test').length, 1);
    noteInFile(path, { accepted: '1' });
    assert.equal(readDeadJournals('test').length, 1, 'though its file has changed');
    assert.equal(onDisk().length, 1);
  });

  test(`the lock of a dead process is taken over, with a clock ${ahead / DAY} days ahead`, async (t) => {
    const lock = join(state, 'test.lock');
    mkdirSync(state, { recursive: true });
    writeFileSync(lock, JSON.stringify(elsewhere()));
    shows(lock, ahead);
    let isTaken = false;
    const taken = withLock(lock, async () => {
      isTaken = true;
    });
    for (let look = 0; look < 5; look++) {
      await wait(60);
      shows(lock, ahead + look);
    }
    assert.ok(!isTaken);
    quickClock(t);
    await taken;
  });
}

test('a process that is dead by one of its files is dead by all', (t) => {
  quickClock(t);
  const owner = elsewhere();
  journalElsewhere(0, owner);
  while (readDeadJournals('test').length === 0);
  machines++;
  journalElsewhere(0, owner);
  assert.equal(readDeadJournals('test').length, 2);
});

test('runs that are too short to tell go on from each other', async (t) => {
  quickClock(t);
  journalElsewhere(0);
  for (let look = 0; look < 4; look++) assert.equal(readJournals('test')[0]?.life, 'unclear');
  const next: typeof import('./owner.ts') = await import(`./owner.ts?${Math.random()}`);
  const { path, owner } = readJournals('test')[0] as { path: string; owner: Owner };
  const look = () => next.lifeOf(path, owner, `${statSync(path).mtimeMs}`);
  assert.deepEqual([look(), look(), look()], ['unclear', 'unclear', 'dead']);
  writeFileSync(join(dirname(path), 'looks.json'), '[');
  const third: typeof next = await import(`./owner.ts?${Math.random()}`);
  assert.equal(third.lifeOf(path, owner, `${statSync(path).mtimeMs}`), 'unclear');
});

test('a process renews its files, whatever becomes of the clock', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.mock.method(Date, 'now', () => 0);
  const path = join(state, 'a');
  mkdirSync(state, { recursive: true });
  writeFileSync(path, '');
  const signs = signsOfLife(path);
  t.after(() => signs.end());
  const times = new Set([statSync(path).mtimeMs]);
  for (let each = 0; each < 3; each++) {
    await wait(5);
    t.mock.timers.tick(2_000);
    times.add(statSync(path).mtimeMs);
  }
  assert.equal(times.size, 4);
});
