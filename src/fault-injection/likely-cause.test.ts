import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyCauseLine, likelyCauses, type RedScenario } from './likely-cause.ts';
import { committedMatrix, type Matrix, type MatrixRow } from './matrix.ts';

const row = (name: string, caughtBy: string[], symptoms = ['2xx json'], operation = 'block'): MatrixRow => ({
  name,
  operation,
  kind: 'state',
  grade: 'documented',
  caughtBy,
  symptoms,
});
const { symptoms: _, ...old } = row('of an older matrix', ['a', 'b']);
const matrix: Matrix = {
  faults: [
    row('one', ['a']),
    row('two', ['a', 'b']),
    row('three', ['a', 'b', 'c']),
    row('four', ['d'], ['404', '5xx']),
    row('no HTTP', ['a', 'b', 'c', 'd'], ['processing']),
    row('none', []),
    old,
  ],
};

const ok = (...titles: string[]) => titles.map((title) => ({ title, symptom: '2xx json' }));

const rows: [name: string, red: RedScenario[], ran: string[], names: string[], drawnFrom: number][] = [
  ['just this pattern comes first', ok('a', 'b'), ['a', 'b', 'c', 'd'], ['two', 'three'], 6],
  ['what was not run counts neither way', ok('a', 'b'), ['a', 'b', 'd'], ['three', 'two'], 6],
  ['less than three fifths in common is no cause', ok('a', 'b', 'c'), ['a', 'b', 'c', 'd'], ['three', 'two'], 6],
  [
    'a fault without common scenarios is not listed',
    [{ title: 'd', symptom: '404' }],
    ['a', 'b', 'c', 'd'],
    ['four'],
    6,
  ],
  ['a plain 404 is not what answers no HTTP', [{ title: 'a', symptom: '404' }], ['a', 'b', 'c', 'd'], [], 6],
  ['one response that does not agree is enough', [...ok('a'), { title: 'b', symptom: '5xx' }], ['a', 'b', 'c'], [], 5],
  ['an unknown response agrees with nothing', [{ title: 'd' }], ['d'], [], 2],
  ['an unknown pattern has no cause', ok('z'), ['a', 'z'], [], 5],
  ['no failures, no cause', [], ['a'], [], 5],
];

for (const [name, red, ran, names, drawnFrom] of rows) {
  test(name, () => {
    const found = likelyCauses(matrix, red, ran);
    assert.deepEqual(
      found.causes.map((cause) => cause.name),
      names,
    );
    assert.equal(found.drawnFrom, drawnFrom);
  });
}

test('a line names causes with their likeness and the number of faults, and is empty without any', () => {
  assert.equal(
    likelyCauseLine({ causes: [{ name: 'two', likeness: 2 / 3 }], drawnFrom: 412 }),
    'Looks like: two (67 %); the share of failing scenarios in common, drawn from 412 faults, with responses that agree (docs/kill-matrix.md).',
  );
  assert.equal(likelyCauseLine({ causes: [], drawnFrom: 412 }), '');
});

test('no cause where the candidates disagree about the operation, or another operation answered with the error', () => {
  const named = (faults: MatrixRow[], red: RedScenario[]) =>
    likelyCauses({ faults }, red, ['a', 'b']).causes.map(({ name }) => name);
  const [love, unlove] = [row('love wants ids', ['a'], ['5xx'], 'love'), row('unlove fails', ['a'], ['5xx'], 'unlove')];
  const failing = (operation?: string) => [{ title: 'a', symptom: '5xx', ...(operation ? { operation } : {}) }];
  assert.deepEqual(named([love], failing('unlove')), [], 'unlove answers 500: not what breaks love');
  assert.deepEqual(named([love, unlove], failing('unlove')), ['unlove fails']);
  assert.deepEqual(named([love, unlove], failing()), []);
});

test('of faults that are not in the matrix, nine in ten guesses name the right operation', () => {
  const { faults } = committedMatrix();
  const ran = [...new Set(faults.flatMap(({ caughtBy }) => caughtBy))];
  const operationOf = new Map(faults.map(({ name, operation }) => [name, operation]));
  const guesses = faults.flatMap((fault) =>
    (fault.symptoms ?? []).flatMap((symptom) => {
      const others = { faults: faults.filter((other) => other !== fault) };
      const red = fault.caughtBy.map((title) => ({ title, symptom }));
      const [first] = likelyCauses(others, red, ran).causes;
      return first ? [operationOf.get(first.name) === fault.operation] : [];
    }),
  );
  const right = guesses.filter(Boolean).length;
  assert.ok(guesses.length >= 80, `${guesses.length} guesses`);
  assert.ok(right / guesses.length >= 0.9, `${right} of ${guesses.length} are right`);
});
