import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireOutcome } from '../../fault-injection/index.ts';
import { plannedText, scoreLine, wireDocument, wirePage } from './report.ts';

const outcome = (name: string, rest: Partial<WireOutcome>): WireOutcome => ({
  name,
  operation: 'block',
  kind: 'state',
  became: 'caught',
  by: 'block, then list',
  reason: 'failed',
  ...rest,
});
const all = [
  outcome('a', {}),
  outcome('b', { reason: 'slow', isYellow: true }),
  outcome('c', { became: 'unseen', by: null, reason: 'needs STORY_ID' }),
  outcome('d', { became: 'survived', by: null, reason: 'nothing <reads> it' }),
];

test('the score says what is missed, and why', () => {
  assert.equal(
    scoreLine('staging', all),
    "staging: 2 of 4 faults would turn the gate red (1 of them yellow: slow); 1 can't be seen here: needs STORY_ID (1); 1 survived: nothing <reads> it (1)",
  );
});

test('the document has exactly the fields of its contract', () => {
  const { faults, ...rest } = wireDocument('staging', { outcomes: all.slice(2, 3), requests: 7, durationMs: 1.6 });
  assert.deepEqual(rest, { environment: 'staging', requests: 7, durationMs: 2 });
  assert.deepEqual(faults, [
    { name: 'c', operation: 'block', kind: 'state', caught: false, by: null, reason: 'needs STORY_ID' },
  ]);
});

test('the page escapes what it lists, the missed ones first', () => {
  const page = wirePage('staging', all, 0);
  assert.match(page, /nothing &lt;reads&gt; it/);
  assert.ok(page.indexOf('<code>d</code>') < page.indexOf('<code>a</code>'));
});

test('the number of requests is said with the time at the pace of the environment', () => {
  assert.match(
    plannedText('staging', 3, 601, 5),
    /^Drill of staging: 3 faults with about 601 requests \(5 a second: about 3 minutes\)$/,
  );
});
