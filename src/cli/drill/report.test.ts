import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireOutcome } from '../../drill/index.ts';
import { scoreLine, wireRow } from './report.ts';

const outcome = (name: string, reason: string, by: string | null = null): WireOutcome => ({
  ...{ name, operation: 'block', kind: 'state', caught: by !== null, by, reason },
});
const caught = outcome('a', 'failed', 'block, then list');
const missed = ['b', 'c', 'd', 'e', 'f'].map((name) => outcome(name, name === 'c' ? 'needs B' : `needs ${name}`));

test('a row says who catches a fault, or why nobody does', () => {
  assert.equal(wireRow(caught), 'caught  a  ← block, then list');
  assert.equal(wireRow(outcome('b', 'needs STORY_ID')), 'missed  b  needs STORY_ID');
});

test('the score says what is missed, with the reasons, the most frequent first', () => {
  assert.equal(scoreLine('staging', [caught]), 'staging: 1 of 1 faults would turn the gate red');
  const some = [caught, ...missed, outcome('g', 'needs e')];
  assert.equal(
    scoreLine('staging', some),
    'staging: 1 of 7 faults would turn the gate red; 6 would not: needs e (2), needs b (1), needs B (1), needs d (1), needs f (1)',
  );
});
