import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { RESULT_TYPE } from '../run/ending/index.ts';
import { outcomeOfTest, resultOf } from './result-of.ts';

const tested = {
  ...{ title: 'block', tags: ['@friends', '@read'], annotations: [{ type: 'skip', description: 'needs STORY_ID' }] },
  location: { file: 'block.spec.ts', line: 1, column: 1 },
} as unknown as TestCase;
const attachment = (contentType: string, content: unknown) => ({
  ...{ name: 'x', contentType },
  body: Buffer.from(JSON.stringify(content)),
});
const answered = attachment('application/vnd.allure.http+json', { request: {}, response: { status: 200 } });
const silent = attachment('application/vnd.allure.http+json', { request: {}, error: { name: 'ECONNREFUSED' } });
const result = attachment(RESULT_TYPE, { verdict: 'failed', reason: 'it broke' });
const killed = { errors: [{ message: 'Error: worker process exited unexpectedly (code=null, signal=SIGKILL)' }] };

const rows: Readonly<Record<string, readonly [Partial<TestResult>, verdict: string, reason: RegExp]>> = {
  'what the test attached counts': [{ status: 'failed', attachments: [silent, result] }, 'failed', /^it broke$/],
  'a worker that was killed says nothing of the service': [
    { status: 'failed', attachments: [], ...killed },
    'unknown',
    /worker process exited unexpectedly/,
  ],
  'where a call was answered, too': [
    { status: 'failed', attachments: [silent, answered], ...killed },
    'unknown',
    /exited/,
  ],
  'where none of its calls was, the service is unreachable': [
    { status: 'failed', attachments: [silent, silent], ...killed },
    'unreachable',
    /exited/,
  ],
  'half a result is none': [
    { status: 'failed', attachments: [{ ...result, body: Buffer.from('{"verdict":') }], ...killed },
    'unknown',
    /exited/,
  ],
  "Playwright's own time-out blames nobody": [
    { status: 'timedOut', attachments: [answered], errors: [{ message: 'Test timeout of 120000ms exceeded.' }] },
    'unknown',
    /timeout/,
  ],
  'codes of a terminal are left out': [
    { status: 'timedOut', attachments: [answered], errors: [{ message: '\u001b[31mTest timeout of 1ms\u001b[39m' }] },
    'unknown',
    /^Test timeout of 1ms$/,
  ],
  'a test that was skipped before it began has its reason': [
    { status: 'skipped', attachments: [], errors: [] },
    'skipped',
    /^needs STORY_ID$/,
  ],
};

for (const [name, [ended, verdict, reason]] of Object.entries(rows))
  test(name, () => {
    const found = resultOf(tested, { duration: 1, startTime: new Date(0), ...ended } as TestResult);
    assert.equal(found.verdict, verdict);
    assert.match(found.reason ?? '', reason);
  });

test('the texts of an outcome have no codes of a terminal', () => {
  const errors = [{ message: 'Expected: \u001b[32m1\u001b[39m' }, { value: '\u001b[31mtext\u001b[39m' }];
  const attached = attachment(RESULT_TYPE, { verdict: 'failed', file: 'a.spec.ts', exchanges: [] });
  const attempt = { status: 'failed', attachments: [attached], errors, duration: 1, startTime: new Date(0) };
  const parent = { project: () => ({ name: 'qa' }) };
  const { messages } = outcomeOfTest({ ...tested, results: [attempt], parent } as unknown as TestCase);
  assert.deepEqual(messages, ['Expected: 1', 'text']);
});
