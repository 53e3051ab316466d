import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colours } from '../../playwright/terminal.ts';
import type { ScenarioResult } from '../../run/index.ts';
import { fakeResult } from '../../testing/monitor/fakes.ts';
import { printable } from '../output/terminal.ts';
import {
  causeRows,
  contractLines,
  cut,
  headingRow,
  type Layout,
  scenarioRows,
  skipRows,
  summaryRow,
} from './console.ts';

const plain: Layout = { colors: colours(false), columns: undefined, environmentWidth: 0 };
const listed = { title: 'block, then list', effect: 'reversible', durationMs: 1_234.5 } as const;
const passed = fakeResult('passed', 0, listed);
const failed: ScenarioResult = {
  ...passed,
  verdict: 'failed',
  grade: 'documented',
  reason: 'documented: a very long claim — 500',
  curl: `curl -sS 'http://x/' --data-raw '\u009b31m'`,
  // One cause may be met twice on the way.
  warnings: ['clean-up failed', 'clean-up failed'],
};

for (const environmentWidth of [0, 11])
  test(`columns stand below their headings, with ${environmentWidth} characters for the environment`, () => {
    const layout = { ...plain, environmentWidth };
    const [row = ''] = scenarioRows('staging', passed, layout);
    const heading = headingRow(layout);
    assert.equal(row.indexOf('block'), heading.indexOf('SCENARIO'));
    assert.equal(row.indexOf('1,235 ms') + '1,235 ms'.length, heading.indexOf('TIME') + 'TIME'.length);
    assert.equal(row.indexOf('staging'), heading.indexOf('ENVIRONMENT'));
  });

test('a failed scenario is followed by its reason, its warnings and one curl line that nothing in it can spoil', () => {
  const [row, ...rest] = scenarioRows('staging', failed, plain);
  assert.match(row ?? '', /^failed +documented +1,235 ms/);
  assert.deepEqual(rest, [
    '  documented: a very long claim — 500',
    '  warning: clean-up failed',
    "  curl -sS 'http://x/' --data-raw '\\u009b31m'",
  ]);
});

test('reasons are cut to the terminal, the curl line never', () => {
  const rows = scenarioRows('staging', failed, { ...plain, columns: 20 });
  assert.equal(rows[1], '  documented: a ver…');
  assert.match(rows[3] ?? '', /31m'$/);
  assert.equal(cut('exactly', { columns: 9 }), 'exactly');
});

test('colours are there only when they are wanted', () => {
  const colors = colours(true);
  assert.ok(scenarioRows('staging', failed, { ...plain, colors })[0]?.startsWith('\u001b[31mfailed'));
  assert.ok(!scenarioRows('staging', failed, plain).join().includes('\u001b'));
});

const skipped: ScenarioResult = { ...passed, verdict: 'skipped', reason: 'needs FLAG_KEY' };
for (const [results, unconnected, says] of [
  [[passed, failed, passed], 0, 'failed (1 failed, 2 passed), 0 requests'],
  [[failed], 14, 'failed (1 failed), 0 requests, 14 attempts without a connection'],
  [
    [passed, skipped, { ...skipped, unproven: true }],
    0,
    'passed (1 passed, 2 skipped (1 of them unproven)), 0 requests',
  ],
] as const)
  test(`the last line counts: ${says}`, () =>
    assert.equal(
      summaryRow('staging', { results, traffic: { requests: 0, unconnected }, unproven: [] }, 420),
      `staging: ${says} in 0.4 s`,
    ));

test('skips are told once for each reason, the most frequent first', () => {
  const skip = (title: string, reason: string): ScenarioResult => ({ ...passed, title, verdict: 'skipped', reason });
  const all = [skip('a', 'needs FLAG_KEY'), passed, skip('b', 'not allowed'), skip('c', 'not allowed')];
  assert.deepEqual(skipRows(all, plain), ['skipped 2 × not allowed', '  b; c', 'skipped 1 × needs FLAG_KEY', '  a']);
});

test('a cause is a line, with what merely follows; a host names whom it affects and the call to repeat', () => {
  const example = { environment: 'e', title: 'a', verdict: 'failed', category: 'failed', reason: '' } as const;
  const sentence = 'Friends: unblock answers 500';
  const cause = {
    environment: 'e',
    sentence,
    verdict: 'failed',
    areas: [],
    operations: [],
    evidence: [] as string[],
  } as const;
  assert.deepEqual(causeRows({ ...cause, tests: ['a', 'b'], follows: ['b'], example }, plain), [
    'Friends: unblock answers 500 (2 scenarios)',
    '  1 of them only in clean-up, or because it kept them from starting',
  ]);
  const call = {
    operation: 'block',
    origin: 'http://h',
    curl: 'curl x',
    failure: { phase: 'dns', reason: 'x' },
  } as const;
  assert.deepEqual(causeRows({ ...cause, tests: ['a'], follows: [], example: { ...example, call } }, plain), [
    'Friends: unblock answers 500 (1 scenario)',
    '  affects a',
    '  curl x',
  ]);
});

test('what values are not held to is one line for each reason', () => {
  const lists = { unmatched: ['block (POST /b)'], ignored: ['a.yaml#/p: \\h'], circular: ['a.yaml#/A', 'a.yaml#/B'] };
  assert.deepEqual(contractLines('qa', { documents: ['a.yaml'], operations: new Map(), ...lists }), [
    'qa: not in a.yaml, and so not held to it: block (POST /b)',
    "qa: patterns in another dialect than JavaScript's are ignored; correct them: a.yaml#/p: \\h",
    'qa: schemas that lead back to themselves for the same value are ignored; take the reference to the parent out of its alternatives: a.yaml#/A · a.yaml#/B',
  ]);
});

test('nothing that a terminal obeys is printed', () => {
  assert.equal(printable('a\u001b[2J\nb\u202ec\u{e0001}'), 'a\\u001b[2J\nb\\u202ec\\udb40\\udc01');
  assert.equal(JSON.parse(printable(JSON.stringify('\u009b\u202e'))), '\u009b\u202e');
});
