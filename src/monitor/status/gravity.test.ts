import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flip } from '../../testing/monitor/flips.ts';
import { causesOfHits, gravestFirst } from './gravity.ts';

const hit = (at: number, title: string, reason: string) => ({ ...flip(at, title, 'down'), reason });

const rows: [name: string, hits: ReturnType<typeof hit>[], order: string[]][] = [
  [
    'an unblock that is swallowed: the sentence that broke before the 409 that follows from it, whichever came first',
    [
      hit(1, 'block', 'assumed: a success — 409 Conflict'),
      hit(2, 'unblock', 'documented: the list no longer mentions the friend — it does'),
    ],
    ['unblock', 'block'],
  ],
  [
    'grades in the order of their weight, and what has none last',
    [
      hit(1, 'none', 'a'),
      ...(['assumed', 'learned', 'specified', 'documented'] as const).map((grade, at) =>
        hit(at + 2, grade, `${grade}: it works — it does not`),
      ),
    ],
    ['documented', 'specified', 'learned', 'assumed', 'none'],
  ],
  [
    'what several scenarios share before what one suffers alone; then the earliest',
    [
      hit(1, 'a', 'assumed: a success — alone'),
      hit(3, 'c', 'assumed: a success — unblock: 500'),
      hit(2, 'b', 'assumed: a success — unblock: 500'),
    ],
    ['b', 'c', 'a'],
  ],
  [
    'what failed only in clean-up behind what broke',
    [hit(1, 'a', 'in clean-up: documented: unblocked — it is not'), hit(2, 'b', 'documented: unblocked — it is not')],
    ['b', 'a'],
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

test('the operation that broke is named, and what needed it stands under it, though it failed earlier and by a weightier claim', () => {
  const call = { origin: 'http://a', status: 500 };
  const hits = [
    {
      ...hit(
        1,
        'list',
        'documented: the list mentions a friend just blocked — "f" not found; block {"friendId":"f"} was left behind by another scenario',
      ),
      call: { ...call, operation: 'listBlocked' as const, status: 200 },
    },
    {
      ...hit(2, 'unblock', 'assumed: a success — 500 Internal Server Error'),
      call: { ...call, operation: 'unblock' as const },
    },
  ];
  assert.deepEqual(
    causesOfHits(hits).map((cause) => [cause.sentence, ...cause.hits.map(({ scenario }) => scenario.title)]),
    [['Friends: unblock answers 500', 'unblock', 'list']],
  );
});
