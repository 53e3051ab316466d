import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { faults, variants } from '../../reference-service/index.ts';
import { score, scoreByKind } from '../../src/drill/index.ts';
import { allScenarios } from '../../src/run/index.ts';
import { catchers, committedMatrix, differences, type Matrix, matrixText } from './matrix.ts';

const of = (...caughtBy: string[]): Matrix => named('f', ...caughtBy);
const named = (name: string, ...caughtBy: string[]): Matrix => ({
  faults: [{ name, operation: 'block', kind: 'state', grade: 'documented', caughtBy }],
  variants: [{ name: 'v', alarms: [] }],
});

const rows: [name: string, committed: Matrix, found: Matrix, reported: string[]][] = [
  ['the same', of('a', 'walk'), of('a'), []],
  ['less', of('a', 'b'), of('a'), ['f is no longer caught by "b"']],
  ['more', of('a'), of('a', 'b', 'walk'), ['f is now caught by "b"']],
  ['new', { faults: [], variants: [] }, of('a'), ['f is missing']],
  // Every tenth response has the fault. How often a list is read decides which scenario gets this response. So it is no difference if
  // another scenario catches the fault.
  ['another', named('g-fails-every-tenth-time', 'a'), named('g-fails-every-tenth-time', 'b'), []],
  [
    'none',
    named('g-fails-every-tenth-time', 'a'),
    named('g-fails-every-tenth-time'),
    ['g-fails-every-tenth-time is no longer caught'],
  ],
];

for (const [name, committed, found, reported] of rows) {
  test(`a matrix against a drill: ${name}`, () =>
    assert.deepEqual(
      differences(committed, found, (title) => title !== 'walk'),
      reported,
    ));
}

test('a fault is played again with the scenarios that are compared, or with all that caught it; one that none caught has none', () => {
  const played = [of('a', 'walk'), of('walk'), of()].map((matrix) => catchers(matrix, (title) => title !== 'walk'));
  assert.deepEqual(played, [{ f: ['a'] }, { f: ['walk'] }, {}]);
});

test('the text of a matrix is JSON again', () => assert.deepEqual(JSON.parse(matrixText(of('a'))), of('a')));

const committed = committedMatrix();

test('names are unique, titles too: the matrix goes by them', async () => {
  const names = [...faults, ...variants].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const titles = (await allScenarios()).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});

const CURE =
  'the kill matrix is stale; `npm run drill:matrix -- --missing` adds new faults, `npm run drill:matrix` makes all of it anew';

test('the committed matrix has a line for each fault and variant, and knows only scenarios that there are', async () => {
  const lines = [...committed.faults, ...committed.variants].map(({ name }) => name);
  const names = [...faults, ...variants].map(({ name }) => name);
  assert.deepEqual(lines, names, CURE);
  const known = new Set((await allScenarios()).map(({ title }) => title));
  const strangers = committed.faults.flatMap(({ caughtBy }) => caughtBy.filter((title) => !known.has(title)));
  assert.deepEqual([...new Set(strangers)], [], CURE);
});

test('all documented faults and 95 % of all faults are caught; survivors have a reason', () => {
  assert.ok(faults.length >= 80 && variants.length >= 10);
  assert.equal(score(committed.faults.filter(({ grade }) => grade === 'documented')).percent, 100);
  assert.ok(score(committed.faults).percent >= 95);
  const survivors = committed.faults.filter(({ caughtBy }) => caughtBy.length === 0).map(({ name }) => name);
  assert.deepEqual(
    survivors,
    faults.filter(({ survives }) => survives).map(({ name }) => name),
    'every survivor, and no other fault, has a reason (`survives`)',
  );
});

test('a score is cut, not rounded: 100 means all', () => {
  const one = { kind: 'list', grade: 'assumed' } as const;
  const many = [...Array.from({ length: 9_999 }, () => ({ ...one, caughtBy: ['s'] })), { ...one, caughtBy: [] }];
  assert.equal(score(many).percent, 99.9);
  assert.deepEqual(
    scoreByKind(many).map(({ kind, of: all }) => [kind, all]),
    [['list', 10_000]],
  );
});

test('every scenario written by hand catches something', async () => {
  const all = await allScenarios();
  const catchers = new Set(committed.faults.flatMap(({ caughtBy }) => caughtBy));
  const idle = all.filter(({ title, file }) => basename(dirname(file)) === 'scenarios' && !catchers.has(title));
  assert.deepEqual(
    idle.map(({ title }) => title),
    [],
    `add a fault that it catches to reference-service/faults/ (or ${CURE})`,
  );
});
