import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyCauseLine, likelyCauses } from './likely-cause.ts';
import type { Matrix, MatrixRow } from './matrix.ts';

const row = (name: string, ...caughtBy: string[]): MatrixRow => ({
  name,
  operation: 'block',
  kind: 'state',
  grade: 'documented',
  caughtBy,
});
const matrix: Matrix = {
  faults: [row('one', 'a'), row('two', 'a', 'b'), row('three', 'a', 'b', 'c'), row('four', 'd'), row('none')],
};

const rows: [name: string, red: string[], ran: string[], names: string[]][] = [
  ['just this pattern comes first', ['a', 'b'], ['a', 'b', 'c', 'd'], ['two', 'three', 'one']],
  ['what was not run counts neither way', ['a', 'b'], ['a', 'b', 'd'], ['three', 'two', 'one']],
  ['a fault without common scenarios is not listed', ['d'], ['a', 'b', 'c', 'd'], ['four']],
  ['an unknown pattern has no cause', ['z'], ['a', 'z'], []],
  ['no failures, no cause', [], ['a'], []],
];

for (const [name, red, ran, names] of rows) {
  test(name, () =>
    assert.deepEqual(
      likelyCauses(matrix, red, ran).map((cause) => cause.name),
      names,
    ),
  );
}

test('a line names causes with their likeness, and is empty without any', () => {
  assert.match(likelyCauseLine([{ name: 'two', likeness: 2 / 3 }]), /^Looks like: two \(67 %\)\./);
  assert.equal(likelyCauseLine([]), '');
});
