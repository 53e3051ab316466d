import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { scenarioSkeleton } from '../skeletons/scenario.ts';
import { assertQuarantine } from './choose-scenarios.ts';

const folder = ownFolder();
process.env.SEXTANT_ENVIRONMENTS = folder;
writeFileSync(join(folder, 'staging.env'), '');

const rows: [entry: object, says: RegExp | undefined][] = [
  [{ title: 'love, then unlove' }, undefined],
  [{ title: 'love, then unlove', environment: 'staging' }, undefined],
  [{ title: 'unlove with Authorization missing is refused' }, undefined],
  [{ title: 'love, then unlov' }, /no scenario "love, then unlov" \(did you mean love, then unlove\?\)/],
  [{ title: 'love, then unlove', environment: 'stagin' }, /no environment "stagin" \(did you mean staging\?\)/],
];
for (const [entry, says] of rows)
  test(`quarantine of ${JSON.stringify(entry)}`, async () => {
    const full = { owner: 'me@your.org', until: '2099-01-31', reason: 'X-1', ...entry };
    writeFileSync(join(folder, 'quarantine.json'), JSON.stringify([full]));
    if (says) await assert.rejects(assertQuarantine(), says);
    else await assertQuarantine();
  });

test('a new scenario can’t have a title that there is, and one that changes something is told of clean-up', () => {
  const taken = new Map([['love, then unlove', 'tests/scenarios/love-unlove.spec.ts']]);
  const wish = { area: 'stories', effect: 'reversible' } as const;
  assert.throws(
    () => scenarioSkeleton({ ...wish, name: 'love, then unlove' }, taken),
    /"love, then unlove" is a scenario already: tests\/scenarios\/love-unlove\.spec\.ts\. Choose another title\./,
  );
  assert.match(scenarioSkeleton({ ...wish, name: 'love' }, taken).next.join('\n'), /clean-up .* `defer\(/);
  assert.doesNotMatch(scenarioSkeleton({ ...wish, effect: 'read', name: 'look' }, taken).next.join('\n'), /defer/);
});
