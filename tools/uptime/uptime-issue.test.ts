import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckDocument } from '../../src/cli/check/outputs.ts';
import type { Verdict } from '../../src/client/index.ts';
import { decide, type OpenIssue, tell } from './uptime-issue.ts';

const RUN = 'https://github.example/runs/1';

function check(verdict: Verdict, startedAt: string, failing: readonly string[] = []): CheckDocument {
  const scenarios = failing.map((title) => ({
    title,
    area: 'friends' as const,
    verdict,
    grade: 'assumed' as const,
    reason: `assumed: it works — \`\`\` @everybody <script> ${startedAt}`,
    unproven: false,
    cause: null,
    warnings: [],
    durationMs: 1,
    curl: "curl -sS 'https://a.example/'",
    exchanges: [],
  }));
  const nothing = {
    hosts: [],
    causes: [],
    certificates: [],
    credentials: [],
    found: { readings: [], keys: [] },
    contract: null,
    unproven: 0,
  };
  return { environment: 'staging', startedAt, durationMs: 1, verdict, ...nothing, scenarios };
}

/** The issue that a decision leaves open, if any. */
function after(decision: ReturnType<typeof decide>, before: OpenIssue | undefined): OpenIssue | undefined {
  if (decision.action === 'none') return before;
  return decision.action === 'close' ? undefined : { number: 7, body: decision.body };
}

test('a week of checks: one issue per outage, comments only for changes, nothing when a check could not judge', () => {
  let open: OpenIssue | undefined;
  const actions = [
    check('passed', 't1'),
    check('failed', 't2', ['love']),
    check('failed', 't3', ['love']),
    check('unknown', 't4'),
    check('failed', 't5', ['love', 'block']),
    check('unreachable', 't6', ['love', 'block']),
    check('slow', 't7'),
    check('unknown', 't8'),
    check('refused', 't9', ['love']),
  ].map((document) => {
    const decision = decide(document, open, RUN);
    open = after(decision, open);
    return `${decision.action}${'comment' in decision ? ', comment' : ''}`;
  });
  assert.deepEqual(actions, [
    'none',
    'open',
    'update',
    'none',
    'update, comment',
    'update, comment',
    'close, comment',
    'none',
    'open',
  ]);
});

test('an issue remembers since when', () => {
  const opened = decide(check('failed', 't1', ['love']), undefined, RUN);
  const updated = decide(check('failed', 't2', ['block']), after(opened, undefined), RUN);
  assert.ok(updated.action === 'update');
  assert.match(updated.body, /^Since: t1\nLast checked: t2, https:/m);
});

test('text of a service never leaves the fenced block', () => {
  const decision = decide(check('failed', 't1', ['love']), undefined, RUN);
  assert.ok(decision.action === 'open');
  const [before, , after] = decision.body.split('```');
  assert.equal(decision.body.split('```').length, 3);
  assert.doesNotMatch(`${before}${after}`, /everybody|script/);
});

const calls: [environment: string, verdict: Verdict, made: string[]][] = [
  ['staging', 'passed', ['issue comment 7 --body-file -', 'issue close 7']],
  ['staging', 'unknown', []],
  ['staging', 'failed', ['issue edit 7 --body-file -', 'issue comment 7 --body-file -']],
  // Another environment's issue is not touched.
  ['production', 'passed', []],
  ['production', 'failed', ['issue create --label uptime --title production: the service falls short --body-file -']],
];
for (const [environment, verdict, expected] of calls)
  test(`gh, where the issue of staging is open and ${environment} ${verdict}: ${expected.join(', ') || 'nothing'}`, () => {
    const made: string[] = [];
    tell({ ...check(verdict, 't'), environment }, RUN, (args) => {
      made.push(args.join(' '));
      return '[{"number":7,"title":"staging: the service falls short","body":""}]';
    });
    assert.match(made.splice(0, 2).join(), /^label create uptime .*,issue list --label uptime /);
    assert.deepEqual(made, expected);
  });
