import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairwise } from './pairwise.ts';

const dimensions = { a: ['1', '2', '3'], b: ['x', 'y'], c: ['p', 'q', 'r', 's'], d: ['0', '1'] };

test('every two choices stand together in some row', () => {
  const rows = pairwise(dimensions);
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[];
  for (const a of names)
    for (const b of names.filter((other) => other > a))
      for (const x of dimensions[a])
        for (const y of dimensions[b])
          assert.ok(
            rows.some((row) => row[a] === x && row[b] === y),
            `${a}=${x} ${b}=${y}`,
          );
});

test('it takes far fewer rows than there are combinations, and begins with the first choices', () => {
  const rows = pairwise(dimensions);
  assert.deepEqual(rows[0], { a: '1', b: 'x', c: 'p', d: '0' });
  assert.ok(rows.length <= 16, `${rows.length} rows`);
});
