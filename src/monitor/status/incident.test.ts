import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaIds } from '../../spec/index.ts';
import { bookOf, fakeFlip, flipsOf } from '../../testing/monitor/flips.ts';
import { afterEvent, isMutedAt } from './handling.ts';
import { causesOfHits, extentOf, gravestFirst } from './hits.ts';
import { IncidentBook } from './incident-book.ts';

/** Three lines each: a name, what happens (`muted` and `maintenance` name an environment or a scenario), and the incidents that come of it. */
const stories = `
scenarios whose expectations break at one base address; a later failure is another incident
1 -block; 2 -list; 3 -love broken 2; 5 +block; 7 +list; 9 -block
→ e:block e:list until 7, e:love open, e:block open
six addresses refused within the confirmation
1 -a refused 1; 2 -b refused 2; 3 -c refused 3; 4 -d refused 4; 5 -f refused 5; 6 -g refused 6
→ e:a e:b e:c e:d e:f e:g open
an address refused long after another is another incident, unless it was seen to be refused with it
1 -a refused 1,2; 90 -b refused 3; 95 -c refused 2
→ e:a e:c open, e:b open
refused and timed out are two causes
1 -a refused 1; 1 -b late 2
→ e:a open, e:b open
the same status at several addresses, as from one gateway
1 -a 503 1; 4 -b 503 2
→ e:a e:b open
an error status and a broken expectation at one address
1 -a 500 1; 40 -b broken 1
→ e:a e:b open
a connection failure is not an expectation that broke at the same address
1 -a broken 1; 2 -b refused 1
→ e:a open, e:b open
what can no longer run in one area; down afterwards
1 ~a at 1; 99 ~b at 1; 99 ~c at 2; 120 -a broken 3; 130 +b
→ e:a e:b until 130, e:c open, e:a open
environments on one host that is gone
1 -a:x refused h/a; 5 -b:x refused h:81/b; 9 -c:x refused h
→ a:x b:x c:x open
another host
1 -a:x refused h; 2 -b:x refused i
→ a:x open, b:x open
another reason at the same host
1 -a:x refused h; 2 -b:x late h
→ a:x open, b:x open
much later it may be another cause, whatever was seen to fail with the first
1 -a:x refused h with c; 50 -b:x refused h; 60 -c:x refused h
→ a:x open, b:x c:x open
a gateway that answers with a server error everywhere
1 -a:x 503 h/a; 2 -b:x 503 h/b
→ a:x b:x open
an expectation that is broken at one address
1 -a:x broken h; 2 -b:x broken h; 3 -c:x broken h/c; 4 -d:y broken h; 50 -f:x broken h
→ a:x b:x open, c:x open, d:y open, f:x open
an error that is the caller’s, and a broken expectation beside it, are of one environment
1 -a:x 404 h; 2 -b:x 404 h; 3 -c:x broken h
→ a:x open, b:x open, c:x open
one recovers first, and fails again while the others are down
1 -a:x refused h; 2 -b:x refused h; 30 +a:x refused h; 60 -a:x refused h; 70 +a:x refused h; 80 +b:x refused h
→ a:x b:x a:x until 80
what fails in maintenance takes in no other environment
maintenance quiet; 1 -quiet:x refused h; 2 -b:x refused h; 3 -c:x refused h
→ quiet:x open, b:x c:x open
a muted incident takes in an environment that it named, and no other
muted a; 1 -a:x refused h with b; 2 -b:x refused h; 3 -c:x refused h
→ a:x b:x open, c:x open
nor one that was first seen to fail with it while it was muted
muted a; 1 -a:x refused h; 2 -a:y refused h with b; 3 -b:x refused h
→ a:x a:y open, b:x open
nor that one, once it has worked again
muted a; 1 -a:x refused h with b; 2 -b:x refused h; 3 +b:x refused h; 4 -b:x refused h
→ a:x b:x open, b:x open
a muted incident takes in nothing but the addresses that it named
muted a; 1 -a refused 1,2; 2 -b refused 2; 3 -c refused 3
→ e:a e:b open, e:c open
nor one that was first seen to fail while it was muted
muted a; 1 -a refused 1; 2 -b refused 1,2; 3 -c refused 2
→ e:a e:b open, e:c open
but one that it named, though what was told of it has recovered
muted a; 1 -a refused 1; 2 -b refused 1; 3 +a refused 1; 4 -c refused 1
→ e:a e:b e:c open
where an expectation broke, nothing at all
muted a; 1 -a; 2 -b
→ e:a open, e:b open`;

for (const [, name, story = '', expected] of stories.matchAll(/\n(.+)\n(.+)\n→ (.+)/g))
  test(`incidents: ${name}`, () => {
    const [, word, meant, happens = story] = /^(muted|maintenance) (\w+); (.*)$/.exec(story) ?? [];
    const found = bookOf(flipsOf(happens), {
      isMuted: ({ hits: [first] }) =>
        word === 'muted' && [first?.scenario.environment, first?.scenario.title].includes(meant),
      isMaintenance: (environment) => word === 'maintenance' && environment === meant,
    }).map(({ hits, until }) =>
      [
        ...hits.map(({ scenario }) => `${scenario.environment}:${scenario.title}`),
        until === undefined ? 'open' : `until ${until}`,
      ].join(' '),
    );
    assert.equal(found.join(', '), expected);
  });

test('a history of an earlier version, which wrote down no incident, has one for each address', () => {
  const book = new IncidentBook();
  for (const each of flipsOf('1 -a; 2 -b; 3 -c broken 2')) book.add(each);
  const counts = book.all.map(({ hits }) => hits.length);
  assert.deepEqual(counts, [2, 1]);
});

test('what is open of an incident, and its extent: areas, addresses, hosts and environments, each once', () => {
  const [incident] = bookOf(flipsOf('1 -a refused 2,1; 2 -b refused 2; 3 -c refused 4'));
  const { areas, addresses, of } = extentOf(incident?.hits ?? []);
  assert.deepEqual([areas, addresses.length, of], [[areaIds[0], areaIds[1], areaIds[3]], 3, 6]);
  const [shared] = bookOf(flipsOf('1 -a:x refused h/a with b; 2 -c:x refused h/c; 3 +a:x refused h/a'));
  const extent = extentOf(shared?.hits ?? []);
  assert.deepEqual([extent.environments, extent.of, [...extent.hosts]], [['a', 'b', 'c'], 0, ['h']]);
  assert.deepEqual([shared?.open.map(({ scenario }) => scenario.environment), shared?.leaves.length], [['c'], 1]);
});

const hit = (since: number, title: string, reason: string, more = {}) =>
  fakeFlip({ scenario: { environment: 'e', title }, since, reason, ...more });

const gravity: [name: string, hits: ReturnType<typeof hit>[], order: string[]][] = [
  [
    'grades in the order of their weight, and what has none last',
    [
      hit(1, 'none', 'a'),
      ...(['assumed', 'learned', 'specified', 'documented'] as const).map((grade, at) =>
        hit(at + 2, grade, `${grade}: it works — it does not, ${grade}`),
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
];

test('what a notice says first', () => {
  for (const [name, hits, order] of gravity) {
    const titles = gravestFirst(hits).map(({ scenario }) => scenario.title);
    assert.deepEqual(titles, order, name);
  }
});

test('the operation that broke is named, and what needed it stands under it, though it failed earlier and by a weightier claim', () => {
  const call = (operation: string, status: number) => ({ call: { origin: 'http://a', operation, status } });
  const follows = 'documented: the list mentions a friend just blocked — "f" not found; block {"friendId":"f"}';
  const hits = [
    hit(1, 'list', `${follows} was left behind by another scenario`, call('listBlocked', 200)),
    hit(2, 'unblock', 'assumed: a success — 500 Internal Server Error', call('unblock', 500)),
  ];
  const [cause, ...others] = causesOfHits(hits);
  assert.deepEqual([cause?.sentence, others], ['Friends: unblock answers 500', []]);
  assert.deepEqual(
    cause?.hits.map(({ scenario }) => scenario.title),
    ['unblock', 'list'],
  );
});

test('a mute ends at its time, and where the clock is set back to before it began', () => {
  const muted = afterEvent({}, { at: 10_000, kind: 'muted', person: 'Ada', text: '', until: 70_000 });
  const isMuted = [8_000, 9_500, 10_000, 69_999, 70_000].map((now) => isMutedAt(muted, now));
  assert.deepEqual(isMuted, [false, true, true, true, false]);
});
