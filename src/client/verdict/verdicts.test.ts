import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type VerdictFacts, verdicts } from './verdicts.ts';

type MayBeLeftOut = {
  [K in keyof VerdictFacts]: Omit<VerdictFacts, K> extends VerdictFacts ? K : never;
}[keyof VerdictFacts];

test('a verdict that lacks a field does not compile', () => {
  const none: readonly MayBeLeftOut[] = [];
  // Types are checked by `npm run check`; this line fails there as soon as a field becomes optional.
  assert.deepEqual(none satisfies readonly never[], []);
});

test('no two verdicts are equally grave, so the verdict of a run is never a matter of order', () => {
  const severities = Object.values(verdicts).map(({ severity }) => severity);
  assert.equal(new Set(severities).size, severities.length);
});

test('exit code, health and category agree', () => {
  for (const [name, { exitCode, health, ran, category, detects }] of Object.entries(verdicts)) {
    assert.equal(exitCode === 3, health === 'unknown', `${name}: exit 3 is a service about which nothing is known`);
    if (health === 'down') assert.equal(exitCode, 1, name);
    if (exitCode === 1) assert.ok(category !== null && detects, `${name}: what falls short is red in the report`);
    if (!ran) assert.equal(exitCode, 3, `${name}: what did not run proves nothing`);
  }
});
