import assert from 'node:assert/strict';
import { test } from 'node:test';
import { githubAnnotation, lineOfTitle } from './annotation.ts';
import { closingMarkdown, failuresMarkdown, reportLink } from './job-page.ts';

const failure = { environment: 'staging', title: 'love, then unlove', text: 'failed: 500\n  curl -sS x' };

test('a run without failures has no list of them', () => assert.equal(failuresMarkdown([]), ''));

test('a failure is a block that nothing in it can end', () => {
  const text = failuresMarkdown([{ ...failure, title: '<b> & co', text: 'a\u001b[31m red ``` end' }]);
  assert.match(text, /<b>&lt;b&gt; &amp; co<\/b> · staging/);
  assert.match(text, /\n````text\na red ``` end\n````\n/);
});

test('a page stays readable: at most 25 failures, none of them endless', () => {
  const all = Array.from({ length: 30 }, () => ({ ...failure, text: 'x'.repeat(9_000) }));
  const text = failuresMarkdown(all);
  assert.equal(text.match(/<details/g)?.length, 25);
  assert.match(text, /\n5 more failed; the report lists them\.\n/);
  assert.ok(text.length < 110_000);
});

test('the end of a page: causes as plain text, and the report', () => {
  assert.equal(closingMarkdown([], undefined), '');
  assert.equal(
    closingMarkdown(['staging: Looks like: love_always <b>'], 'Report: `x`'),
    '\n#### Likely causes\n\n- staging: Looks like: love\\_always &lt;b&gt;\n\nReport: `x`\n',
  );
});

for (const [name, env, link] of [
  [
    'GitHub',
    { GITHUB_SERVER_URL: 'https://g', GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '7' },
    'https://g/o/r/actions/runs/7#artifacts',
  ],
  ['GitLab', { CI_JOB_URL: 'https://l/jobs/7' }, 'https://l/jobs/7/artifacts/browse'],
] as const)
  test(`the report on ${name} is linked`, () =>
    assert.equal(reportLink('r.html', env), `[Report](${link}): \`r.html\` in the artifacts`));

test('the report elsewhere is named', () => assert.equal(reportLink('r.html', {}), 'Report: `r.html`'));

test('an annotation is one line, whatever its texts hold', () => {
  assert.equal(
    githubAnnotation({ file: 'a,b.ts', line: 3, title: 'x: y', message: '50 %\nmore' }),
    '::error file=a%2Cb.ts,line=3,title=x%3A y::50 %25%0Amore',
  );
});

test('the line of a title; the first for one that is put together', () => {
  const spec = "import x;\n\nscenario('love', {});\nscenario(\n  `love, then unlove`,\n";
  assert.deepEqual(
    ['love', 'love, then unlove', 'other'].map((title) => lineOfTitle(spec, title)),
    [3, 5, 1],
  );
});
