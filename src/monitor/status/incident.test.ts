import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Flip } from './flip.ts';
import { IncidentBook, incidentsOf } from './incident.ts';
import { afterNotice, dueNotice, type Notified, neverNotified } from './notification-policy.ts';

let ids = 0;
function flip(at: number, title: string, to: 'down' | 'up', address = 'http://a/', environment = 'e'): Flip {
  return {
    id: ++ids,
    scenario: { environment, title },
    area: 'friends',
    at,
    from: to === 'down' ? 'up' : 'down',
    to,
    since: at,
    verdict: to === 'down' ? 'failed' : 'passed',
    cause: { kind: 'address', address },
  };
}

test('scenarios that fail at one base address are one incident; other addresses and environments are others', () => {
  const all = incidentsOf([
    flip(1, 'block', 'down'),
    flip(2, 'list', 'down'),
    flip(3, 'love', 'down', 'http://b/'),
    flip(4, 'block', 'down', 'http://a/', 'other'),
    flip(5, 'block', 'up'),
    flip(7, 'list', 'up'),
    flip(9, 'block', 'down'),
  ]);
  assert.deepEqual(
    all.map(({ environment, cause, since, until, hits, open }) => [
      environment,
      cause.address,
      since,
      until,
      hits.length,
      open.length,
    ]),
    [
      ['e', 'http://a/', 1, 7, 2, 0],
      ['e', 'http://b/', 3, undefined, 1, 1],
      ['other', 'http://a/', 4, undefined, 1, 1],
      ['e', 'http://a/', 9, undefined, 1, 1],
    ],
  );
});

/** The notices for events by minute, as `minute:kind`; the policy is asked once a minute. */
function noticesOf(
  events: Record<number, () => Flip>,
  minutes: number,
  maintenance: (minute: number) => boolean,
): string {
  const book = new IncidentBook();
  const states = new Map<number, Notified>();
  const said: string[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const event = events[minute];
    if (event) book.add(event());
    for (const incident of book.all) {
      const before = states.get(incident.id) ?? neverNotified;
      const kind = dueNotice(incident, before, minute, maintenance(minute), { remindAfterMs: 10, gatherMs: 2 });
      if (!kind) continue;
      said.push(`${minute}:${kind}`);
      states.set(incident.id, afterNotice(before, kind, incident, minute));
    }
  }
  return said.join(' ');
}

const never = () => false;
const between = (from: number, to: number) => (minute: number) => minute >= from && minute < to;
const down = (title: string, minute: number) => () => flip(minute, title, 'down');
const up = (title: string, minute: number) => () => flip(minute, title, 'up');

const rows: [string, Record<number, () => Flip>, (minute: number) => boolean, string][] = [
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
