import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaIds } from '../../spec/index.ts';
import { bookOf, failingAt, flip, refused } from '../../testing/monitor/flips.ts';
import { extentOf } from './extent.ts';
import type { Flip } from './flip.ts';
import { causesOfHits, gravestFirst } from './gravity.ts';
import type { Incident } from './incident.ts';
import { IncidentBook } from './incident-book.ts';

const joins: [name: string, flips: Flip[], incidents: string[]][] = [
  [
    'scenarios whose expectations break at one base address; a later failure is another incident',
    [
      flip(1, 'block', 'down'),
      flip(2, 'list', 'down'),
      flip(3, 'love', 'down', 'http://b/'),
      flip(5, 'block', 'up'),
      flip(7, 'list', 'up'),
      flip(9, 'block', 'down'),
    ],
    ['block list until 7', 'love open', 'block open'],
  ],
  [
    'six addresses refused within the confirmation',
    [1, 2, 3, 4, 5, 6].map((host) => flip(host, `s${host}`, 'down', refused(host))),
    ['s1 s2 s3 s4 s5 s6 open'],
  ],
  [
    'an address refused long after another is another incident, unless it was seen to be refused with it',
    [flip(1, 'a', 'down', refused(1, 2)), flip(90, 'b', 'down', refused(3)), flip(95, 'c', 'down', refused(2))],
    ['a c open', 'b open'],
  ],
  [
    'refused and timed out are two causes',
    [flip(1, 'a', 'down', refused(1)), flip(1, 'b', 'down', failingAt('connect', 'DEADLINE', 2))],
    ['a open', 'b open'],
  ],
  [
    'the same status at several addresses, as from one gateway',
    [flip(1, 'a', 'down', failingAt('response', '503', 1)), flip(4, 'b', 'down', failingAt('response', '503', 2))],
    ['a b open'],
  ],
  [
    'an error status and a broken expectation at one address',
    [flip(1, 'a', 'down', failingAt('response', '500', 1)), flip(40, 'b', 'down', 'http://1/')],
    ['a b open'],
  ],
  [
    'a connection failure is not an expectation that broke at the same address',
    [flip(1, 'a', 'down', 'http://1/'), flip(2, 'b', 'down', refused(1))],
    ['a open', 'b open'],
  ],
  [
    'what can no longer run in one area; down afterwards',
    [
      flip(1, 'a', 'skipped', { kind: 'skipped', address: 'http://storage/' }),
      flip(99, 'b', 'skipped', { kind: 'skipped', address: 'http://storage/' }),
      flip(99, 'c', 'skipped', { kind: 'skipped', address: 'http://features/' }),
      { ...flip(120, 'a', 'down'), from: 'skipped' },
      { ...flip(130, 'b', 'up'), from: 'skipped' },
    ],
    ['a b until 130', 'c open', 'a open'],
  ],
];

for (const [name, all, expected] of joins)
  test(`incidents: ${name}`, () => {
    const found = bookOf(all).map(({ hits, until }) =>
      [...hits.map(({ scenario }) => scenario.title), until === undefined ? 'open' : `until ${until}`].join(' '),
    );
    assert.deepEqual(found, expected);
  });

test('a muted incident takes in nothing but the addresses that it named', () => {
  const isMuted = ({ id }: Incident) => id === muted.id;
  const muted = flip(1, 'a', 'down', refused(1, 2));
  const all = [muted, flip(2, 'b', 'down', refused(2)), flip(3, 'c', 'down', refused(3))];
  assert.deepEqual(
    bookOf(all, { isMuted }).map(({ hits }) => hits.length),
    [2, 1],
  );
  const failing = flip(1, 'a', 'down');
  assert.equal(bookOf([failing, flip(2, 'b', 'down')], { isMuted: ({ id }) => id === failing.id }).length, 2);
});

test('a restart folds the same incidents from what was written, and those of earlier versions by address', () => {
  const written = [1, 2, 3].map((host) => flip(host, `s${host}`, 'down', refused(host)));
  const replayed = new IncidentBook();
  for (const each of written) replayed.add({ ...each, incident: written[0]?.id ?? 0 });
  const [before, after] = [bookOf(written), [...replayed.all]].map((all) =>
    all.map(({ id, since, until, hits, open }) => [id, since, until, hits.map((hit) => hit.id), open]),
  );
  assert.deepEqual(after, before);
  const earlier = new IncidentBook();
  for (const each of [flip(1, 'a', 'down'), flip(2, 'b', 'down')]) earlier.add(each);
  assert.deepEqual(
    [...earlier.all].map(({ hits }) => hits.length),
    [2],
  );
});

test('the extent of an incident: areas and addresses, each once', () => {
  const [incident] = bookOf([
    flip(1, 'a', 'down', refused(2, 1)),
    flip(2, 'b', 'down', refused(2)),
    flip(3, 'c', 'down', refused(4)),
  ]);
  assert.ok(incident);
  const { areas, addresses, of } = extentOf(incident.hits);
  assert.deepEqual([areas, addresses.length, of], [[areaIds[0], areaIds[1], areaIds[3]], 3, 6]);
});

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
