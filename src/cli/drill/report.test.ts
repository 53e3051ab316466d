import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireOutcome } from '../../drill/index.ts';
import { plannedText, scoreLine } from './report.ts';

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

test('the number of requests is said with the time at the pace of the environment', () => {
  assert.match(
    plannedText('staging', 3, 601, 5),
    /^Drill of staging: 3 faults with about 601 requests \(5 a second: about 3 minutes\)$/,
  );
});
