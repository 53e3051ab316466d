import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JunitCase, junitXml } from './junit.ts';

const at = new Date('2026-01-02T03:04:05Z');
const base: JunitCase = { suite: 'staging', group: 'friends', name: 'a', seconds: 0.5, outcome: 'passed' };
const xml = (...cases: Partial<JunitCase>[]) =>
  junitXml(
    cases.map((each) => ({ ...base, ...each })),
    at,
  );

test('failures are failures, unjudged results are errors, and skips have a reason', () => {
  assert.equal(
    xml(
      {},
      { outcome: 'failed', message: 'documented: x', details: 'documented: x\ncurl -sS' },
      { suite: 'production', outcome: 'unknown', message: '429' },
      { suite: 'production', outcome: 'skipped', message: 'needs STORY_ID' },
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
  ['terminal colours', '\u001b[31mred\u001b[39m', 'red'],
  ['characters that XML has no way to write', 'a\u0000b\uffffc', 'a\ufffdb\ufffdc'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['the end of a CDATA section', ']]>', ']]&gt;'],
];
for (const [name, given, expected] of texts)
  test(`text in JUnit: ${name}`, () =>
    assert.ok(xml({ outcome: 'failed', details: given }).includes(`>${expected}</failure>`)));

test('a flake is a pass with a word on it', () => {
  assert.ok(xml({ output: 'flaky: a<b' }).includes('<system-out>flaky: a&lt;b</system-out>\n    </testcase>'));
});

test('a message over two lines stays one attribute', () => {
  assert.ok(xml({ outcome: 'failed', message: 'a\nb' }).includes('message="a&#10;b"'));
});
