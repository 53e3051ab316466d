import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailedTest } from '../run/ending/index.ts';
import type { CallableId } from '../service/index.ts';
import { annotationsOf, causesMarkdown, reportLink, runMarkdown } from './job-page.ts';
import { commitOf } from './run-facts.ts';
import { runReport } from './summary.ts';

const failureOf = (title: string, operation = 'unlove', rest = {}): FailedTest => ({
  ...{
    verdict: 'failed',
    category: 'failed',
    grade: 'assumed',
    claim: 'it works',
    observed: '500 X',
    reason: 'it works — 500 X',
  },
  call: { operation: operation as CallableId, origin: 'http://127.0.0.1', status: 500 },
  environment: 'staging',
  title,
  ...rest,
});

/** A run in which the tests `all` failed. `text` returns the error text for a test's title. */
const runOf = (all: readonly FailedTest[], text: (title: string) => string, rest = {}) =>
  runReport(
    all.map((each) => ({ ...each, area: 'all', seconds: 1, failures: [each], messages: [text(each.title)], ...rest })),
  );

test('a run without failures has no causes', () => assert.equal(causesMarkdown(runReport([])), ''));

test('one cause is one heading with one failure in full and the titles of all', () => {
  const inCleanUp = failureOf('love is refused', 'unlove', { merely: 'clean-up' });
  const text = causesMarkdown(runOf([inCleanUp, failureOf('love, <b>')], (title) => `${title} red \`\`\` end`));
  assert.equal(
    text,
    `#### ❌ Stories: unlove answers 500 (2 tests)

1 of them failed only in clean-up, or could not start because of this

<details open><summary><b>love, &lt;b&gt;</b> · staging</summary>

\`\`\`\`text
love, <b> red \`\`\` end
\`\`\`\`

</details>

<details><summary>All of them</summary>

- love, &lt;b&gt;
- love is refused

</details>
`,
  );
});

test('a page stays readable: at most 25 causes, none of them endless', () => {
  const all = Array.from({ length: 30 }, (_, n) => ({
    ...failureOf('x'),
    call: undefined,
    title: `x${n}`,
    reason: `cause ${'i'.repeat(n)}`,
  }));
  const text = causesMarkdown(runOf(all as unknown as FailedTest[], () => 'x'.repeat(9_000)));
  assert.equal(text.match(/<details/g)?.length, 25);
  assert.match(text, /\n5 more causes; the report lists them\.\n/);
  assert.ok(text.length < 110_000);
});

const onGitHub = { GITHUB_SERVER_URL: 'https://g', GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '7' };

test('a page names environment, commit, seed and pipeline', () => {
  const run = { environments: ['staging', 'qa'], commit: '0123456789abcdef', seed: '7' };
  const rows = [
    [{}, ''],
    [onGitHub, ' · [pipeline](https://g/o/r/actions/runs/7)'],
    [{ CI_PIPELINE_URL: 'https://l/p/1' }, ' · [pipeline](https://l/p/1)'],
  ] as const;
  for (const [env, link] of rows)
    assert.equal(
      runMarkdown(run, env),
      `Environment \`staging\`, \`qa\` · commit \`0123456789ab\` · seed \`7\`${link}`,
    );
  assert.equal(runMarkdown({ ...run, commit: null }, {}), 'Environment `staging`, `qa` · seed `7`');
});

for (const [name, env, link] of [
  ['GitHub', onGitHub, 'https://g/o/r/actions/runs/7#artifacts'],
  ['GitLab', { CI_JOB_URL: 'https://l/jobs/7' }, 'https://l/jobs/7/artifacts/browse'],
] as const)
  test(`the report on ${name} is linked`, () =>
    assert.equal(reportLink('r.html', env), `[Report](${link}): \`r.html\` in the artifacts`));

test('the report elsewhere is named', () => assert.equal(reportLink('r.html', {}), 'Report: `r.html`'));

test('the commit is the pipeline’s, or that of the repository', () => {
  assert.equal(commitOf({ CI_COMMIT_SHA: 'abc' }), 'abc');
  assert.equal(commitOf({}, '/'), undefined);
});

test('an annotation is one line, whatever its texts hold', () => {
  const run = runOf([failureOf('a')], () => '50 %\nmore ##[error]\n::add-mask::b', { file: 'a,b.ts', line: 3 });
  assert.deepEqual(annotationsOf(run), [
    '::error file=a%2Cb.ts,line=3,title=staging%3A Stories%3A unlove answers 500 (1 test)::a%0A50 %25%0Amore # #[error]%0A: :add-mask::b',
  ]);
});
