import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallableId } from '../service/index.ts';
import { likelyCauseLine, likelyCauses, type RedScenario } from './likely-cause.ts';
import { committedMatrix, type Matrix, type MatrixRow } from './matrix.ts';

const row = (name: string, titles: string, symptoms = ['2xx json'], operation: CallableId = 'block'): MatrixRow => ({
  name,
  operation,
  kind: 'state',
  grade: 'documented',
  caughtBy: [...titles],
  symptoms,
});
const { symptoms: _, ...old } = row('of an older matrix', 'abc');
const matrix: Matrix = {
  faults: [
    row('three', 'abc'),
    row('four', 'abcd'),
    row('five', 'abcde'),
    row('other', 'mnop', ['404', '5xx']),
    row('of another operation', 'uvw', ['2xx json'], 'love'),
    row('of this operation', 'uvw'),
    row('no HTTP', 'abcd', ['processing']),
    row('none', ''),
    { ...row('love wants ids', 'hij', ['5xx'], 'love'), failsAt: ['love'] },
    { ...row('unlove fails', 'hij', ['5xx'], 'unlove'), failsAt: ['unlove'] },
    ...['q', 'r', 's', 't', 'u'].map((name) => row(name, 'xyz')),
    old,
  ],
};

const ok = (titles: string, symptom = '2xx json', operation?: string) =>
  [...titles].map((title) => ({ title, symptom, ...(operation ? { operation } : {}) }));

const rows: [name: string, red: RedScenario[], ran: string, names: string[], drawnFrom: number][] = [
  ['just this pattern comes first', ok('abcd'), 'abcde', ['four', 'five'], 5],
  ['what was not run counts neither way', ok('abc'), 'abc', ['five', 'four', 'three'], 5],
  ['less than four fifths in common is no cause', ok('abc'), 'abcde', ['three'], 5],
  ['two failures say too little', ok('ab'), 'ab', [], 5],
  ['faults of two operations are not told apart', ok('uvw'), 'uvw', [], 2],
  ['one fault in common', ok('mnop', '404'), 'mnop', ['other'], 1],
  ['a plain 404 is not what answers no HTTP', ok('abcd', '404'), 'abcde', [], 5],
  ['one response that does not agree is enough', [...ok('abc'), { title: 'd', symptom: '5xx' }], 'abcde', [], 5],
  ['an unknown response agrees with nothing', [...'abc'].map((title) => ({ title })), 'abc', [], 5],
  ['an unknown pattern has no cause', ok('gkl'), 'agkl', [], 5],
  ['the calls of one operation fail', ok('hij', '5xx', 'unlove'), 'hij', ['unlove fails'], 2],
  ['of faults that are as similar, those left out are counted', ok('xyz'), 'xyz', ['q', 'r', 's', '2 more'], 5],
  ['no failures, no cause', [], 'a', [], 5],
];

for (const [name, red, ran, names, drawnFrom] of rows) {
  test(name, () => {
    const found = likelyCauses(matrix, red, [...ran]);
    assert.deepEqual(
      [...found.causes.map((cause) => cause.name), ...(found.further > 0 ? [`${found.further} more`] : [])],
      names,
    );
    assert.equal(found.drawnFrom, drawnFrom);
  });
}

test('a line names causes with their likeness and the number of faults, and is empty without any', () => {
  assert.equal(
    likelyCauseLine({ causes: [{ name: 'two', likeness: 2 / 3 }], further: 4, drawnFrom: 412 }),
    'Looks like: two (67 %) or 4 more; the share of failing scenarios in common, drawn from 412 faults, with responses that agree (docs/kill-matrix.md).',
  );
  assert.equal(likelyCauseLine({ causes: [], further: 0, drawnFrom: 412 }), '');
});

/** How often the operation of a named cause is right, of all faults for which one is named. */
function precision(isLeftOut: boolean, isPlayed: (title: string) => boolean): { named: number; share: number } {
  const { faults } = committedMatrix();
  const operationOf = new Map(faults.map(({ name, operation }) => [name, operation]));
  const ran = [...new Set(faults.flatMap(({ caughtBy }) => caughtBy))].filter(isPlayed);
  const named = faults.flatMap((fault) => {
    const [symptom] = fault.symptoms ?? [];
    const [operation] = fault.failsAt ?? [];
    const call = { ...(symptom ? { symptom } : {}), ...(operation ? { operation } : {}) };
    const red = fault.caughtBy.filter(isPlayed).map((title) => ({ title, ...call }));
    const known = isLeftOut ? faults.filter((other) => other !== fault) : faults;
    const [first] = likelyCauses({ faults: known }, red, ran).causes;
    return first ? [operationOf.get(first.name) === fault.operation] : [];
  });
  return { named: named.length, share: named.filter(Boolean).length / named.length };
}

const inCheck = (title: string) => !/ (with|handles|of another user) /.test(title);
for (const [what, isLeftOut, isPlayed, named, share] of [
  ['faults of the matrix, in test', false, () => true, 130, 1],
  ['faults of the matrix, in check', false, inCheck, 60, 1],
  ['faults that it does not hold, in test', true, () => true, 40, 0.9],
  ['faults that it does not hold, in check', true, inCheck, 40, 0.85],
] as const)
  test(`the operation of a likely cause is right: ${what}`, (t) => {
    const measured = precision(isLeftOut, isPlayed);
    t.diagnostic(JSON.stringify(measured));
    assert.ok(measured.named >= named && measured.share >= share, JSON.stringify(measured));
  });
