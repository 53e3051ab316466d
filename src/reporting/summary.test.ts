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
  const none = { flaky: 0, quarantined: 0 };
  assert.deepEqual(summary, {
    passed: 2,
    failed: 1,
    unknown: 1,
    skipped: 5,
    unproven: 2,
    flaky: 0,
    quarantined: 0,
    areas: {
      friends: { passed: 1, failed: 1, unknown: 0, skipped: 1, unproven: 0, ...none },
      stories: { passed: 0, failed: 0, unknown: 0, skipped: 2, unproven: 2, ...none },
      storage: { passed: 0, failed: 0, unknown: 1, skipped: 2, unproven: 0, ...none },
      all: { passed: 1, failed: 0, unknown: 0, skipped: 0, unproven: 0, ...none },
    },
    unknownBecause: [{ reason: 'all 2 ids are used', count: 1 }],
    skippedBecause: [
      { reason: 'needs B', count: 2 },
      { reason: 'unproven: 404 text/plain', count: 2 },
      { reason: 'needs A', count: 1 },
    ],
    flakes: [],
  });
  assert.deepEqual(Object.keys(summary.areas), ['friends', 'stories', 'storage', 'all']);
});

test('flakes are passes that are shown, and failures in quarantine are counted apart', () => {
  const { passed, skipped, flaky, quarantined, flakes } = summarise([
    { area: 'friends', title: 'a', outcome: 'passed', flaky: { attempts: 3, reason: 'documented: x' } },
    { area: 'friends', title: 'b', outcome: 'skipped', quarantined: true, reason: 'quarantined until 2027-01-01' },
  ]);
  assert.deepEqual({ passed, skipped, flaky, quarantined }, { passed: 1, skipped: 1, flaky: 1, quarantined: 1 });
  assert.deepEqual(flakes, [{ title: 'a', attempts: 3, reason: 'documented: x' }]);
});
