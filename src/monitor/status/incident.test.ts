import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaIds } from '../../spec/index.ts';
import { extentOf, sizeOf } from './extent.ts';
import type { Cause, Flip } from './flip.ts';
import { type Incident, IncidentBook } from './incident.ts';
import { joinedIncident } from './joined-incident.ts';
import { afterNotice, dueNotice, type Notified, neverNotified, notQuiet, type Quiet } from './notification-policy.ts';

let ids = 0;
function flip(at: number, title: string, to: 'down' | 'up' | 'skipped', given: string | Cause = 'http://a/'): Flip {
  const cause = typeof given === 'string' ? ({ kind: 'address', address: given } as const) : given;
  return {
    id: ++ids,
    scenario: { environment: 'e', title },
    area: 'friends',
    at,
    from: to === 'up' ? (cause.kind === 'skipped' ? 'skipped' : 'down') : 'up',
    to,
    since: at,
    verdict: to === 'up' ? 'passed' : to === 'skipped' ? 'skipped' : 'failed',
    cause,
  };
}

/** Incidents as the monitor makes them: each flip joins the one it belongs to. */
function bookOf(all: readonly Flip[], isMuted: (incident: Incident) => boolean = () => false): Incident[] {
  const book = new IncidentBook();
  for (const each of all) {
    const joined =
      each.to === 'up'
        ? undefined
        : joinedIncident(each, book.open, { withinMs: 10, isMuted, isMaintenance: () => false });
    book.add({ ...each, incident: joined?.id ?? each.id });
  }
  return [...book.all];
}

const at = (phase: 'connect' | 'processing' | 'response', code: string, ...hosts: number[]): Cause => ({
  kind: phase === 'connect' ? 'host' : 'address',
  address: `http://${hosts[0]}/`,
  pattern: {
    phase,
    code,
    addresses: hosts.map((host) => `http://${host}/`),
    areas: hosts.map((n) => areaIds[n - 1] as (typeof areaIds)[number]),
    of: 6,
  },
});
const refused = (...hosts: number[]) => at('connect', 'ECONNREFUSED', ...hosts);

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
    [flip(1, 'a', 'down', refused(1)), flip(1, 'b', 'down', at('connect', 'DEADLINE', 2))],
    ['a open', 'b open'],
  ],
  [
    'the same status at several addresses, as from one gateway',
    [flip(1, 'a', 'down', at('response', '503', 1)), flip(4, 'b', 'down', at('response', '503', 2))],
    ['a b open'],
  ],
  [
    'an error status and a broken expectation at one address',
    [flip(1, 'a', 'down', at('response', '500', 1)), flip(40, 'b', 'down', 'http://1/')],
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
    bookOf(all, isMuted).map(({ hits }) => hits.length),
    [2, 1],
  );
  const failing = flip(1, 'a', 'down');
  assert.equal(bookOf([failing, flip(2, 'b', 'down')], ({ id }) => id === failing.id).length, 2);
});

test('a restart folds the same incidents from what was written, and those of earlier versions by address', () => {
  const written = [1, 2, 3].map((host) => flip(host, `s${host}`, 'down', refused(host)));
  const replayed = new IncidentBook();
  for (const each of written) replayed.add({ ...each, incident: written[0]?.id ?? 0 });
  assert.deepEqual(
    [...replayed.all],
    bookOf(written).map((incident) => ({
      ...incident,
      hits: incident.hits.map((hit) => ({ ...hit, incident: written[0]?.id })),
    })),
  );
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
  const { areas, addresses, of } = extentOf(incident);
  assert.deepEqual([areas, addresses.length, of, sizeOf(incident)], [[areaIds[0], areaIds[1], areaIds[3]], 3, 6, 3]);
});

/** The notices for events by minute, as `minute:kind`; the policy is asked once a minute. */
function noticesOf(
  events: Record<number, () => Flip>,
  minutes: number,
  quiet: (minute: number) => Partial<Quiet>,
): string {
  const book = new IncidentBook();
  const states = new Map<number, Notified>();
  const said: string[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const event = events[minute];
    if (event) {
      const made = event();
      const joined =
        made.to === 'up'
          ? undefined
          : joinedIncident(made, book.open, { withinMs: 10, isMuted: () => false, isMaintenance: () => false });
      book.add({ ...made, incident: joined?.id ?? made.id });
    }
    for (const incident of book.all) {
      const before = states.get(incident.id) ?? neverNotified;
      const policy = { remindAfterMs: 10, gatherMs: 2 };
      const kind = dueNotice(incident, before, minute, { ...notQuiet, ...quiet(minute) }, policy);
      if (!kind) continue;
      said.push(`${minute}:${kind}`);
      states.set(incident.id, afterNotice(before, kind, sizeOf(incident), minute));
    }
  }
  return said.join(' ');
}

const never = () => ({});
const during =
  (quiet: keyof Quiet) =>
  (from: number, to = 99) =>
  (minute: number) => ({ [quiet]: minute >= from && minute < to });
const between = during('isMaintenance');
const muted = during('isMuted');
const acknowledged = during('isAcknowledged');
const down = (title: string, minute: number) => () => flip(minute, title, 'down');
const up = (title: string, minute: number) => () => flip(minute, title, 'up');

const refusedAt =
  (title: string, minute: number, ...hosts: number[]) =>
  () =>
    flip(minute, title, 'down', refused(...hosts));
const skipped = (title: string, minute: number) => () =>
  flip(minute, title, 'skipped', { kind: 'skipped', address: 'http://storage/' });

const rows: [string, Record<number, () => Flip>, (minute: number) => Partial<Quiet>, string][] = [
  ['down and up', { 1: down('a', 1), 5: up('a', 5) }, never, '1:down 5:up'],
  ['reminders', { 1: down('a', 1) }, never, '1:down 11:still 21:still'],
  [
    'a second scenario joins at once: collected',
    { 1: down('a', 1), 2: down('b', 2) },
    never,
    '1:down 3:more 13:still 23:still',
  ],
  ['a second one joins late: notified at once', { 1: down('a', 1), 8: down('b', 8) }, never, '1:down 8:more 18:still'],
  ['came and went in maintenance', { 3: down('a', 3), 5: up('a', 5) }, between(2, 9), ''],
  ['still down at its end', { 3: down('a', 3) }, between(2, 9), '9:down 19:still'],
  ['notified before, recovered within maintenance', { 1: down('a', 1), 5: up('a', 5) }, between(2, 9), '1:down 9:up'],
  ['no reminder within maintenance', { 1: down('a', 1) }, between(8, 20), '1:down 20:still'],
  [
    'scenarios of an address that is known to be refused are no news',
    {
      1: refusedAt('a', 1, 1, 2),
      3: refusedAt('b', 3, 2),
      4: refusedAt('c', 4, 1),
      6: up('a', 6),
      7: up('b', 7),
      8: up('c', 8),
    },
    never,
    '1:down 8:up',
  ],
  [
    'another address is',
    { 1: refusedAt('a', 1, 1), 4: refusedAt('b', 4, 2) },
    never,
    '1:down 4:more 14:still 24:still',
  ],
  ['muted: no notice but the end', { 1: down('a', 1), 18: up('a', 18) }, muted(2), '1:down 18:up'],
  ['muted for a while', { 1: down('a', 1) }, muted(2, 15), '1:down 15:still'],
  ['acknowledged: no reminders', { 1: down('a', 1), 20: up('a', 20) }, acknowledged(2), '1:down 20:up'],
  ['acknowledged, and it gets worse', { 1: down('a', 1), 8: down('b', 8) }, acknowledged(2), '1:down 8:more'],
  ['what can no longer run is notified once', { 1: skipped('a', 1) }, never, '1:down'],
  [
    'two at one address: recovered when both have',
    { 1: down('a', 1), 2: down('b', 2), 4: up('a', 4), 6: up('b', 6) },
    never,
    '1:down 3:more 6:up',
  ],
];

test('which notices are due, and when', () => {
  for (const [name, events, maintenance, expected] of rows)
    assert.equal(noticesOf(events, 25, maintenance), expected, name);
});
