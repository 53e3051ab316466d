import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grade } from '../../client/index.ts';
import { flip } from '../../testing/monitor/flips.ts';
import { gravestFirst } from './gravity.ts';

const hit = (at: number, title: string, grade: Grade | undefined, reason: string) => ({
  ...flip(at, title, 'down'),
  ...(grade ? { grade } : {}),
  reason,
});

const rows: [name: string, hits: ReturnType<typeof hit>[], order: string[]][] = [
  [
    'an unblock that is swallowed: the sentence that broke before the 409 that follows from it, whichever came first',
    [hit(1, 'block', 'assumed', '409'), hit(2, 'unblock', 'documented', 'the list no longer mentions the friend')],
    ['unblock', 'block'],
  ],
  [
    'grades in the order of their weight, and what has none last',
    [
      hit(1, 'unreachable', undefined, 'a'),
      hit(2, 'assumed', 'assumed', 'b'),
      hit(3, 'learned', 'learned', 'c'),
      hit(4, 'specified', 'specified', 'd'),
      hit(5, 'documented', 'documented', 'e'),
    ],
    ['documented', 'specified', 'learned', 'assumed', 'unreachable'],
  ],
  [
    'what several scenarios share before what one suffers alone; then the earliest',
    [hit(1, 'a', 'assumed', 'alone'), hit(3, 'c', 'assumed', 'unblock: 500'), hit(2, 'b', 'assumed', 'unblock: 500')],
    ['b', 'c', 'a'],
  ],
];

test('what a notice says first', () => {
  for (const [name, hits, order] of rows)
    assert.deepEqual(
      gravestFirst(hits).map(({ scenario }) => scenario.title),
      order,
      name,
    );
});
