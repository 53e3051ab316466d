import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Flip } from '../status/flip.ts';
import type { Incident } from '../status/incident.ts';
import { incidentEvent } from './incident-event.ts';
import { problemOf } from './open-problems.ts';

const flip = (title: string, more: Partial<Flip> = {}): Flip => ({
  id: 1,
  scenario: { environment: 'staging', title },
  area: 'friends',
  from: 'up',
  to: 'down',
  since: 0,
  at: 0,
  verdict: 'failed',
  reason: 'documented: it works — 500 Internal Server Error',
  call: { operation: 'block', origin: 'https://a.example', status: 500 },
  curl: "curl 'https://a.example/'",
  cause: { kind: 'address', address: 'https://a.example/' },
  ...more,
});

const incident = (hits: readonly Flip[]): Incident => ({
  id: 7,
  environment: 'staging',
  cause: { kind: 'address', address: 'https://a.example/' },
  since: 0,
  hits,
  leaves: [],
  open: hits.map(({ scenario }) => scenario),
});

const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value));

test('an event holds the whole card where it is small enough', () => {
  assert.deepEqual(incidentEvent(incident([flip('block')]), 2, false), {
    open: 2,
    id: 7,
    title: 'staging: Friends: block answers 500',
    state: 'down',
    since: 0,
    count: 1,
    scenarios: [{ title: 'block', path: '/scenario/staging/block' }],
    path: '/incidents/7',
    reason: 'documented: it works — 500 Internal Server Error',
    curl: "curl 'https://a.example/'",
  });
});

test('a call that is too long for a card is left to the page of its incident', () => {
  const { curl } = flip('block');
  assert.equal(problemOf(incident([flip('block')]), false).curl, curl);
  assert.equal(problemOf(incident([flip('block', { curl: `${curl}${'x'.repeat(2_000)}` })]), false).curl, undefined);
});

test('readers of states get no reason and no call', () => {
  assert.doesNotMatch(JSON.stringify(incidentEvent(incident([flip('block')]), 1, true)), /500|curl|a\.example/);
});

test('an event never exceeds 900 bytes, whatever failed', () => {
  const long = 'ä'.repeat(2_000);
  for (const hits of [
    [flip('block', { curl: long })],
    [flip('block', { curl: long, reason: long })],
    [
      flip('block', {
        reason: `documented: ${long} — not found`,
        call: { operation: 'block', origin: 'https://a.example', status: 200 },
      }),
    ],
    Array.from({ length: 4_400 }, (_, index) =>
      flip(`${index} ${'a scenario with a long name '.repeat(6)}`, { reason: long }),
    ),
  ])
    assert.ok(
      sizeOf(incidentEvent(incident(hits), 1, false)) <= 900,
      `${sizeOf(incidentEvent(incident(hits), 1, false))}`,
    );
});
