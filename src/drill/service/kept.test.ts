import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { gateLines, keepDrill, keptDrill, settingsOf } from './kept.ts';
import type { WireOutcome } from './options.ts';

const state = ownFolder();
process.env.SEXTANT_STATE = state;

const DAY_MS = 86_400_000;
const outcome = (became: WireOutcome['became']): WireOutcome => ({
  name: 'block-answers-500',
  operation: 'block',
  kind: 'answer',
  became,
  by: null,
  reason: null,
});
const drill = {
  environment: 'staging',
  drilledAt: 0,
  settings: 's',
  isComplete: true,
  requests: 1,
  durationMs: 1,
  outcomes: [outcome('caught'), outcome('survived')],
};

test('a gate says what it catches, and when that was found', () => {
  assert.deepEqual(gateLines('staging', 0), []);
  keepDrill(drill);
  assert.deepEqual(keptDrill('staging'), drill);
  for (const [days, when] of [
    [0.5, 'today'],
    [1, '1 day ago'],
    [12.9, '12 days ago'],
  ] as const)
    assert.deepEqual(gateLines('staging', days * DAY_MS), [
      `this gate catches 1 of 2 documented faults on staging (drilled ${when})`,
    ]);
  keepDrill({ ...drill, isComplete: false });
  assert.deepEqual(gateLines('staging', 0), []);
});

test('a drill is older than settings that its result depends on', () => {
  const before = settingsOf(testEnvironment('http://127.0.0.1:1'));
  assert.equal(settingsOf(testEnvironment('http://127.0.0.1:1')), before);
  for (const change of [{ STORY_ID: 'another' }, { ALLOWED_EFFECTS: 'read' }, { FRIEND_PROFILE_REQUEST: undefined }])
    assert.notEqual(settingsOf(testEnvironment('http://127.0.0.1:1', change)), before);
});
