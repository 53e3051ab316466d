import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import type { FullResult, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { controlLog, RESULT_TYPE } from '../run/ending/index.ts';
import { ownEnvironments } from '../testing/own-folder.ts';
import { environmentText } from '../testing/test-environment.ts';
import RunReporter from './run-reporter.ts';

const { env } = ownEnvironments({ own: environmentText('http://127.0.0.1:9') });
Object.assign(process.env, env);

type Attempt = Partial<TestResult>;
const passed: Attempt = { status: 'passed' };
const skipped: Attempt = { status: 'skipped' };

/** The attachment with a test's result, as the suite writes it. */
function attached({ status }: Attempt, document: object = {}): TestResult['attachments'][number] {
  const reason = status === 'skipped' ? { reason: 'needs STORY_ID' } : {};
  const body = Buffer.from(
    JSON.stringify({ title: 'love', area: 'friends', verdict: status, exchanges: [], ...reason, ...document }),
  );
  return { name: 'result', contentType: RESULT_TYPE, body };
}

function testCase(title: string, file: string, attempts: readonly Attempt[], skip?: string): TestCase {
  return {
    ...{ title, tags: ['@friends', '@read'], location: { file, line: 2, column: 1 } },
    annotations: skip ? [{ type: 'skip', description: skip }] : [],
    results: attempts.map((attempt) => ({
      duration: 1,
      errors: [],
      annotations: [],
      attachments: [attached(attempt)],
      ...attempt,
    })),
    parent: { project: () => ({ name: 'own' }) },
    titlePath: () => ['', 'own', file, title],
    outcome: () => 'expected',
    ok: () => true,
  } as unknown as TestCase;
}

/** Ends a run of `tests`. Returns its console output, the reporter's return value, and the contents of the written files. */
async function end(status: FullResult['status'], ...tests: readonly TestCase[]) {
  const reporter = new RunReporter();
  // Two Playwright projects of one environment, as if a team had specs next to the package.
  reporter.onBegin({ workers: 1 }, {
    suites: [{ title: 'own' }, { title: 'own' }],
    allTests: () => tests,
  } as unknown as Suite);
  const said: string[] = [];
  const printing = mock.method(process.stdout, 'write', (text: string) => said.push(text) > 0);
  const ending = reporter.onEnd({ status, startTime: new Date(0), duration: 1 });
  const returned = await ending.finally(() => printing.mock.restore());
  const read = (name: string) => readFileSync(join(env.SEXTANT_OUTPUT, name), 'utf8');
  return { said: said.join(''), returned, run: JSON.parse(read('run.json')).run, page: read('summary.md') };
}

test('two files with one title fail the run, also on the page of its job', async () => {
  const one = testCase('good', 'a.spec.ts', [passed]);
  const { said, returned, run, page } = await end('passed', one, testCase('good', 'b.spec.ts', [passed]));
  assert.match(said, /b\.spec\.ts:2: "good" is the title of another scenario too/);
  assert.deepEqual([returned, run.status], [{ status: 'failed' }, 'failed']);
  assert.match(page, /^### ❔ Sextant\n/);
});

test('a run that was interrupted says so, and passes for none', async () => {
  for (const attempts of [[], [{ status: 'interrupted' } as const]]) {
    const { said, page } = await end('interrupted', testCase('love', 'a.spec.ts', attempts));
    assert.match(said, /The run was interrupted\./);
    assert.match(page, /^### ❔ Sextant\n/);
  }
});

test('what was not tried is skipped for Playwright, and red with its reason everywhere else', async () => {
  const reason = 'not tried: ACCESS_TOKEN is not accepted';
  const attachments = [attached(skipped, { verdict: 'refused', reason })];
  const { said, returned, run, page } = await end(
    'passed',
    testCase('love', 'a.spec.ts', [{ ...skipped, attachments }]),
  );
  assert.deepEqual([returned, run.status], [{ status: 'failed' }, 'failed']);
  assert.match(said, /^ {2}1 refused \(0\.0 s\)$/m);
  assert.match(page, /```text\nnot tried: ACCESS_TOKEN is not accepted\n```/);
});

test('what was not tried has a dot in place of a line; what broke has its own, and the same cause once more a short one', () => {
  const cause = { verdict: 'refused', category: 'refused', credential: 'ACCESS_TOKEN' };
  const call = { operation: 'block', status: 401 };
  const refused = { areas: ['friends'], statuses: [401] };
  const rows = [
    ['met', { ...cause, call, reason: 'got 401' }, /failed .* › met\n\n +not accepted/],
    [
      'met again',
      { ...cause, call, reason: 'got 401' },
      /› met again · again: ACCESS_TOKEN is refused \(401\) in Friends/,
    ],
    ['waits', { ...cause, merely: 'not tried', refused, reason: 'not accepted' }, /^\n?·$/],
  ] as const;
  const reporter = new RunReporter();
  for (const [title, failure, says] of rows) {
    const attachments = [attached(skipped, { verdict: 'refused', reason: 'not accepted', failures: [failure] })];
    const tested = testCase(title, 'a.spec.ts', [{ ...skipped, attachments }]);
    const said: string[] = [];
    const printing = mock.method(process.stdout, 'write', (text: string) => said.push(text) > 0);
    reporter.onTestEnd(tested, tested.results[0] as TestResult);
    printing.mock.restore();
    assert.match(said.join(''), says, title);
  }
});

test('a team’s specs beside the package are another project of an environment, of which everything is said once', async () => {
  process.env.SEXTANT_RUN = 'run';
  controlLog('run', 'own').add({ operation: 'deleteItem', usedUp: 'a stored item' });
  const { said } = await end('passed', testCase('love', 'a.spec.ts', [passed]));
  assert.equal(said.match(/a stored item \(1 time\)/g)?.length, 1);
});

test('a run of which no test ran, or none in one environment, is red', async () => {
  const inVain = testCase('love', 'a.spec.ts', [skipped], 'needs STORY_ID');
  const none = await end('passed', inVain);
  assert.deepEqual(none.returned, { status: 'failed' });
  const elsewhere = { ...inVain, parent: { project: () => ({ name: 'other' }) } } as unknown as TestCase;
  const { said: why, ...half } = await end('passed', testCase('love', 'a.spec.ts', [passed]), elsewhere);
  assert.match(why, /Every test of other was skipped, so this run proves nothing there and counts as failed\./);
  assert.deepEqual([half.returned, half.run.status], [{ status: 'failed' }, 'failed']);
});

test('an operation that was never accepted ends a run with 3', async () => {
  const unaccepted = { operation: 'saveAvatar', why: 'it refuses the avatar (422)', cure: 'survey the environment' };
  const failures = [{ verdict: 'skipped', category: 'unproven', reason: 'unproven', unaccepted }];
  const attachments = [attached(skipped, { unproven: true, failures })];
  const tests = [
    testCase('love', 'a.spec.ts', [passed]),
    testCase('avatar', 'a.spec.ts', [{ ...skipped, attachments }]),
  ];
  const sent: unknown[] = [];
  const send = process.send;
  Object.assign(process, { send: (message: unknown) => sent.push(message) > 0 });
  try {
    const { said, returned, page } = await end('passed', ...tests);
    assert.match(
      said,
      /could not judge add or update avatar: it refuses the avatar \(422\); survey the environment\. If/,
    );
    assert.match(said, /^ {2}unproven in this run, because never accepted: add or update avatar$/m);
    assert.match(page, /^### ❔ Sextant\n[\s\S]*^unproven in this run, because never accepted: add or update avatar$/m);
    assert.deepEqual([returned, sent], [{ status: 'failed' }, [{ couldNotJudge: true }]]);
  } finally {
    Object.assign(process, { send });
  }
});
