import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from './summary.ts';

test("outcomes are counted by area, in the catalogue's order, and reasons by how often they were given", () => {
  const summary = summarise([
    { area: 'all', outcome: 'passed' },
    { area: 'storage', outcome: 'skipped', reason: 'needs A' },
    { area: 'storage', outcome: 'unknown', reason: 'all 2 ids are used' },
    { area: 'friends', outcome: 'failed' },
    { area: 'friends', outcome: 'passed' },
    { area: 'storage', outcome: 'skipped', reason: 'needs B' },
    { area: 'friends', outcome: 'skipped', reason: 'needs B' },
    { area: 'stories', outcome: 'skipped', unproven: true, reason: 'unproven: 404 text/plain  request 1' },
    { area: 'stories', outcome: 'skipped', unproven: true, reason: 'unproven: 404 text/plain  request 2' },
  ]);
  assert.deepEqual(summary, {
    passed: 2,
    failed: 1,
    unknown: 1,
    skipped: 5,
    unproven: 2,
    areas: {
      friends: { passed: 1, failed: 1, unknown: 0, skipped: 1, unproven: 0 },
      stories: { passed: 0, failed: 0, unknown: 0, skipped: 2, unproven: 2 },
      storage: { passed: 0, failed: 0, unknown: 1, skipped: 2, unproven: 0 },
      all: { passed: 1, failed: 0, unknown: 0, skipped: 0, unproven: 0 },
    },
    unknownBecause: [{ reason: 'all 2 ids are used', count: 1 }],
    skippedBecause: [
      { reason: 'needs B', count: 2 },
      { reason: 'unproven: 404 text/plain', count: 2 },
      { reason: 'needs A', count: 1 },
    ],
  });
  assert.deepEqual(Object.keys(summary.areas), ['friends', 'stories', 'storage', 'all']);
});
