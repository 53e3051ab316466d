import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Phases, phasesOf, type Timestamps } from './phases.ts';

const rows: readonly (readonly [name: string, marks: Timestamps, expected: Phases])[] = [
  [
    'a first call over TLS',
    { start: 0, dns: 3, connect: 5, tls: 9, response: 20, end: 21 },
    { dns: 3, connect: 2, tls: 4, processing: 11, transfer: 1 },
  ],
  [
    'a first call to an IP address',
    { start: 0, connect: 5, response: 20, end: 21 },
    { connect: 5, processing: 15, transfer: 1 },
  ],
  ['a call on a reused socket', { start: 0, reused: 1, response: 20, end: 21 }, { processing: 19, transfer: 1 }],
  ['a call that was never answered', { start: 0, dns: 3, connect: 5 }, { dns: 3, connect: 2 }],
  ['a call that reached nothing', { start: 0 }, {}],
];

for (const [name, marks, expected] of rows)
  test(`phases of ${name}: what did not happen is absent`, () => assert.deepEqual(phasesOf(marks), expected));
