import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScore, unlockedScore } from '../../testing/survey/scores.ts';
import { strangers } from '../../testing/survey/strangers/index.ts';

// Runs the suite on services that weren't used to develop it. This takes a minute, so it isn't among the hermetic tests. Each service gets
// another part of the generated specs; `npm run scores` plays all specs on all services.

for (const [turn, name] of Object.keys(strangers).entries()) {
  test(`no alarm on ${name}`, async (t) => {
    const { passed, unproven, skipped, red } = await runScore({ name, turn });
    t.diagnostic(`${name}: ${passed} passed, ${unproven} unproven, ${skipped} skipped`);
    assert.deepEqual(red, []);
  });

  test(`with its credentials switched off, ${name} is never green for what it doesn't check`, async (t) => {
    const { red, unproven, green } = await unlockedScore({ name, turn });
    t.diagnostic(`${name}: ${red.length} caught, ${unproven.length} unproven`);
    assert.deepEqual(green, []);
    assert.ok(red.length > 0);
  });
}
