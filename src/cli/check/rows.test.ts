import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleLines, linesOf, runReport } from '../../playwright/summary.ts';
import { colours } from '../../playwright/terminal.ts';
import { type CauseInRun, outcomeOfResult, type ScenarioResult, STOPPED } from '../../run/index.ts';
import { fakeResult } from '../../testing/monitor/fakes.ts';
import { printable } from '../output/terminal.ts';
import { checkLine, contractLines, cut, type Layout, scenarioRows, summaryRow, tableRows } from './console.ts';

const plain: Layout = { colors: colours(false), columns: undefined };
const listed = { title: 'block, then list', effect: 'reversible', durationMs: 1_234.5 } as const;
const passed = fakeResult('passed', 0, listed);
const failed: ScenarioResult = {
  ...passed,
  verdict: 'failed',
  grade: 'documented',
  reason: 'documented: a very long claim — 500',
  curl: `curl -sS 'http://x/' --data-raw '\u009b31m'`,
};

test('the table: by area in the order of the specification, without skips, and without what a stop kept from being played', () => {
  const of = (
    title: string,
    area: ScenarioResult['area'],
    verdict: ScenarioResult['verdict'] = 'passed',
    reason = '',
  ) => ({ ...passed, title, area, verdict, ...(reason ? { reason } : {}) }) as const;
  const rows = tableRows(
    'staging',
    [
      of('round', 'all'),
      of('flag', 'features'),
      of('love', 'stories'),
      of('block', 'friends', 'skipped', 'needs'),
      of('unlove', 'stories', 'slow'),
      of('avatar', 'profile', 'unknown', STOPPED),
    ],
    plain,
  );
  const [heading = '', , row = ''] = rows;
  assert.equal(row.indexOf('love'), heading.indexOf('SCENARIO IN staging'));
  assert.equal(row.indexOf('1,235 ms') + '1,235 ms'.length, heading.indexOf('TIME') + 'TIME'.length);
  assert.deepEqual(
    rows.slice(1).map((line) => line.split(/ {2,}/).at(-1)),
    ['Stories', 'love', 'unlove', 'Feature toggles', 'flag', 'All areas', 'round'],
  );
});

test('a failed scenario is followed by its reason and one curl line that nothing in it can spoil', () => {
  const [row, ...rest] = scenarioRows(failed, plain);
  assert.match(row ?? '', /^failed +documented +1,235 ms/);
  assert.deepEqual(rest, ['  documented: a very long claim — 500', "  curl -sS 'http://x/' --data-raw '\\u009b31m'"]);
});

test('reasons are cut to the terminal, the curl line never', () => {
  const rows = scenarioRows(failed, { ...plain, columns: 20 });
  assert.equal(rows[1], '  documented: a ver…');
  assert.match(rows[2] ?? '', /31m'$/);
  assert.equal(cut('exactly', { columns: 9 }), 'exactly');
});

test('colours are there only when they are wanted', () => {
  const colors = colours(true);
  assert.ok(scenarioRows(failed, { ...plain, colors })[0]?.startsWith('\u001b[31mfailed'));
  assert.ok(!scenarioRows(failed, plain).join().includes('\u001b'));
});

const skipped: ScenarioResult = { ...passed, verdict: 'skipped', reason: 'needs FLAG_KEY' };
for (const [results, unconnected, says] of [
  [
    [passed, { ...passed, verdict: 'slow' }, failed, { ...failed, verdict: 'unreachable' }],
    0,
    'failed (1 failed, 1 unreachable, 1 slow, 1 passed), 0 requests',
  ],
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
      summaryRow({ environment: 'staging', results, traffic: { requests: 0, unconnected }, unproven: [] }, 0, 420),
      `staging: ${says} in 0.4 s`,
    ));

test('skips are told once for each reason, the most frequent first', () => {
  const skip = (title: string, reason: string): ScenarioResult => ({ ...passed, title, verdict: 'skipped', reason });
  const unproven = (title: string, id: string): ScenarioResult => {
    const failure = { verdict: 'skipped', category: 'unproven', reason: `unproven: ${id} is refused` } as const;
    return { ...skip(title, failure.reason), failures: [{ ...failure, gist: 'unproven: it is refused' }] };
  };
  const all = [skip('a', 'needs FLAG_KEY'), passed, unproven('b', 'sextant-1'), unproven('c', 'sextant-2')];
  const lines = linesOf(runReport(all.map((each) => outcomeOfResult('staging', each)))).map((line) =>
    checkLine(line, plain),
  );
  const rows = ['skipped 2 × unproven: it is refused', '  b; c', 'skipped 1 × needs FLAG_KEY', '  a'];
  assert.deepEqual(consoleLines(lines, plain.colors), rows);
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
  const rowsOf = (of: CauseInRun) => {
    const lines = linesOf({ ...runReport([outcomeOfResult('e', passed)], 'scenario'), causes: [of] });
    return consoleLines(
      lines.map((line) => checkLine(line, plain)),
      plain.colors,
    );
  };
  assert.deepEqual(rowsOf({ ...cause, tests: ['a', 'b'], follows: ['b'], example }), [
    'Friends: unblock answers 500 (2 scenarios)',
    '  1 of them failed only in clean-up, or could not start because of this',
  ]);
  const call = {
    operation: 'block',
    origin: 'http://h',
    curl: 'curl x',
    failure: { phase: 'dns', reason: 'x' },
  } as const;
  assert.deepEqual(rowsOf({ ...cause, tests: ['a'], follows: [], example: { ...example, call } }), [
    'Friends: unblock answers 500 (1 scenario)',
    '  affects a',
    '  curl x',
  ]);
});

test('what values are not held to is one line for each reason', () => {
  const lists = { unmatched: ['block (POST /b)'], ignored: ['a.yaml#/p: \\h'], circular: ['a.yaml#/A', 'a.yaml#/B'] };
  assert.deepEqual(contractLines('qa', { documents: ['a.yaml'], operations: new Map(), ...lists }), [
    'qa: operations that a.yaml does not have, so nothing checks them against it: block (POST /b)',
    'qa: patterns that JavaScript cannot read are ignored; correct them: a.yaml#/p: \\h',
    'qa: schemas that refer to themselves without an end are ignored; remove the reference from their own alternatives: a.yaml#/A · a.yaml#/B',
  ]);
});

test('nothing that a terminal obeys is printed', () => {
  assert.equal(printable('a\u001b[2J\nb\u202ec\u{e0001}'), 'a\\u001b[2J\nb\\u202ec\\udb40\\udc01');
  assert.equal(JSON.parse(printable(JSON.stringify('\u009b\u202e'))), '\u009b\u202e');
});
