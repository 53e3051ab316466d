import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { TestOutcome } from '../run/ending/index.ts';
import type { Verdict } from '../verdict/index.ts';
import { runPage } from './job-page.ts';
import { junitXml } from './junit.ts';
import { linesOf, runReport, summarise, summaryText } from './summary.ts';
import { LiveProgress } from './terminal.ts';

const base: TestOutcome = { environment: 'staging', area: 'friends', title: 'a', seconds: 0.5, verdict: 'passed' };
const outcomes = (cases: Partial<TestOutcome>[]) => cases.map((each) => ({ ...base, ...each }));
const summarised = (...cases: Partial<TestOutcome>[]) => summarise(outcomes(cases));

const unproven = [{ verdict: 'skipped', category: 'unproven', reason: 'x', gist: 'unproven: x' }] as const;

test("outcomes are counted by area, in the catalogue's order, and reasons by how often they were given", () => {
  const summary = summarised(
    { area: 'all', verdict: 'passed' },
    { area: 'storage', verdict: 'skipped', reason: 'needs A' },
    { area: 'storage', verdict: 'unknown', reason: 'all 2 ids are used' },
    { area: 'friends', verdict: 'failed' },
    { area: 'friends', verdict: 'passed' },
    { area: 'storage', verdict: 'skipped', reason: 'needs B' },
    { area: 'friends', verdict: 'skipped', reason: 'needs B' },
    { area: 'stories', verdict: 'skipped', unproven: true, reason: 'unproven: x: 404 request 1', failures: unproven },
    { area: 'stories', verdict: 'skipped', unproven: true, reason: 'unproven: x: 404 request 2', failures: unproven },
  );
  const none = { passed: 0, failed: 0, unknown: 0, skipped: 0, unproven: 0, flaky: 0, quarantined: 0 };
  assert.deepEqual(summary, {
    ...{ ...none, passed: 2, failed: 1, unknown: 1, skipped: 5, unproven: 2 },
    areas: {
      friends: { ...none, passed: 1, failed: 1, skipped: 1 },
      stories: { ...none, skipped: 2, unproven: 2 },
      storage: { ...none, unknown: 1, skipped: 2 },
      all: { ...none, passed: 1 },
    },
    unknownBecause: [{ reason: 'all 2 ids are used', count: 1 }],
    skippedBecause: [
      { reason: 'needs B', count: 2 },
      { reason: 'unproven: x', count: 2 },
      { reason: 'needs A', count: 1 },
    ],
    unprovenOperations: [],
    flakes: [],
  });
  assert.deepEqual(Object.keys(summary.areas), ['friends', 'stories', 'storage', 'all']);
});

const run = runReport(
  outcomes([
    { area: 'friends', verdict: 'passed' },
    { area: 'friends', verdict: 'failed', failures: [] },
    { area: 'storage', verdict: 'skipped', reason: 'needs STORED_ITEM_IDS' },
    { area: 'features', verdict: 'unknown', reason: '429', failures: [] },
  ]),
);

test('a terminal shows a row an area, the reasons and the requests', () => {
  assert.equal(
    stripVTControlCharacters(summaryText(run.summary, linesOf(run).slice(-2), { requests: 1234, unconnected: 1 })),
    `
                     failed  unknown   passed  skipped unproven
  Friends                 1        0        1        0        0
  Feature toggles         0        1        0        0        0
  Storage                 0        0        0        1        0
  Total                   1        1        1        1        0

  unknown 1 × 429
  skipped 1 × needs STORED_ITEM_IDS
  1,234 requests, 1 attempt without a connection
`,
  );
});

test('a GitHub job shows the same as a table, below what the run was and what it failed for', () => {
  const text = runPage('Sextant', { environments: ['qa'], commit: null, seed: '4711' }, run, {
    requests: 2,
    unconnected: 0,
  });
  assert.match(text, /^### ❌ Sextant\n\nEnvironment `qa` · seed `4711` · 2 requests\n\n\| Area/);
  assert.match(text, /^\| ❌ Friends \| 1 \| 0 \| 1 \| 0 \| 0 \|$/m);
  assert.match(text, /^\| ⏭️ Storage \| 0 \| 0 \| 0 \| 1 \| 0 \|$/m);
  assert.match(text, /^\| ❔ Feature toggles \| 0 \| 1 \| 0 \| 0 \| 0 \|$/m);
  assert.match(text, /^- unknown 1 × 429$/m);
  assert.match(text, /^- skipped 1 × needs STORED\\_ITEM\\_IDS$/m);
});

const passed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `t${index}`, verdict: 'passed' as const }));
const underWay = [
  { title: 'love', area: 'stories' },
  { title: 'block', area: 'friends' },
  { title: 'list', area: 'friends' },
] as const;
/** Of these verdicts, `slow` and `unknown` are not red. */
const mixed = [
  { title: 'love', verdict: 'failed' as const },
  { title: 'block', verdict: 'unreachable' as const },
  { title: 'list', verdict: 'slow' as const },
  { title: 'clone', verdict: 'unknown' as const },
];

interface Moment {
  readonly total?: number;
  readonly underWay?: typeof underWay;
  readonly begunAt?: number;
  readonly ended?: readonly { readonly title: string; readonly verdict: Verdict }[];
}

const moments: [name: string, moment: Moment, now: number, text: string][] = [
  ['at the start', {}, 0, '0/20 · 0.0 s'],
  ['what runs, by area', { underWay }, 1_234, '0/20 · 1.2 s · Stories: love · Friends: block, list'],
  ['how long still, once that can be guessed', { ended: passed(5) }, 5_000, '5/20 · 5.0 s, about 15 s left'],
  [
    'no guess by the time until anything ran',
    { ended: passed(5), begunAt: 2_000 },
    5_000,
    '5/20 · 5.0 s, about 9.0 s left',
  ],
  ['no guess from too few', { ended: passed(2) }, 5_000, '2/20 · 5.0 s'],
  ['what is red already', { ended: mixed, total: 4 }, 12_345, '4/4 · 12 s · 2 red: block'],
];

for (const [name, { total = 20, underWay = [], begunAt, ended = [] }, now, text] of moments)
  test(`progress: ${name}`, () => {
    const environment = 'staging';
    const progress = new LiveProgress(process.stdout, total, 0);
    if (begunAt !== undefined) progress.started({ environment, title: 't0', area: 'all' }, begunAt);
    for (const each of underWay) progress.started({ environment, ...each });
    for (const each of ended) progress.finished(environment, each);
    progress.end();
    assert.equal(progress.text(now), text);
  });

const at = new Date('2026-01-02T03:04:05Z');
const xml = (...cases: Partial<TestOutcome>[]) => junitXml(runReport(outcomes(cases)), at);

test('failures are failures, unjudged results are errors, and skips have a reason', () => {
  assert.equal(
    xml(
      {},
      { verdict: 'failed', messages: ['documented: x\ncurl -sS'], failures: [] },
      { environment: 'production', verdict: 'unknown', reason: '429', failures: [] },
      { environment: 'production', verdict: 'skipped', reason: 'needs STORY_ID' },
    ),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Sextant" tests="4" failures="1" errors="1" time="2.000">
  <testsuite name="staging" tests="2" failures="1" errors="0" time="1.000" skipped="0" timestamp="2026-01-02T03:04:05.000Z">
    <testcase classname="staging.friends" name="a" time="0.500"/>
    <testcase classname="staging.friends" name="a" time="0.500">
      <failure message="documented: x">documented: x
curl -sS</failure>
    </testcase>
  </testsuite>
  <testsuite name="production" tests="2" failures="0" errors="1" time="1.000" skipped="1" timestamp="2026-01-02T03:04:05.000Z">
    <testcase classname="production.friends" name="a" time="0.500">
      <error message="429"/>
    </testcase>
    <testcase classname="production.friends" name="a" time="0.500">
      <skipped message="needs STORY_ID"/>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
});

const texts: [name: string, given: string, expected: string][] = [
  ['markup', '<a b="c">&', '&lt;a b=&quot;c&quot;&gt;&amp;'],
  ['characters that XML has no way to write', 'a\u0000b\uffffc', 'a\ufffdb\ufffdc'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['the end of a CDATA section', ']]>', ']]&gt;'],
];
for (const [name, given, expected] of texts)
  test(`text in JUnit: ${name}`, () => {
    assert.ok(xml({ verdict: 'failed', messages: [given] }).includes(`>${expected}</failure>`));
    assert.ok(
      xml({ flaky: { attempts: 2, reason: given } }).includes(` at attempt 2; before: ${expected}</system-out>`),
    );
  });

test('a message over two lines stays one attribute', () => {
  assert.ok(xml({ verdict: 'failed', reason: 'a\nb', messages: ['c'] }).includes('message="a&#10;b"'));
});
