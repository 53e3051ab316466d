import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flip, refused } from '../../testing/monitor/flips.ts';
import { sizeOf } from './extent.ts';
import type { Flip } from './flip.ts';
import { IncidentBook } from './incident.ts';
import { joinedIncident } from './joined-incident.ts';
import { afterNotice, dueNotice, type Notified, neverNotified, notQuiet, type Quiet } from './notification-policy.ts';

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
