import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckDocument } from '../../src/cli/check/outputs.ts';
import type { Verdict } from '../../src/client/index.ts';
import { tell } from './uptime-issue.ts';

const RUN = 'https://github.example/runs/1';

/** GitHub's open issues; `tell` returns what it made of them. */
function github() {
  let issues: { readonly number: number; readonly title: string; readonly body: string }[] = [];
  return {
    bodyOf: (environment: string) => issues.find(({ title }) => title.startsWith(`${environment}:`))?.body ?? '',
    tell(document: CheckDocument): string[] {
      const made: string[] = [];
      tell(document, RUN, (args, body = '') => {
        made.push(args.join(' '));
        const [kind, action, number] = args;
        const [title = ''] = args.slice(args.indexOf('--title') + 1);
        if (kind === 'issue' && action === 'create') issues.push({ number: 7 + issues.length, title, body });
        if (action === 'edit') issues = issues.map((each) => (`${each.number}` === number ? { ...each, body } : each));
        if (action === 'close') issues = issues.filter((each) => `${each.number}` !== number);
        return JSON.stringify(issues);
      });
      assert.match(made.splice(0, 2).join(), /^label create uptime .*,issue list --label uptime /);
      return made;
    },
  };
}

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

const create = 'issue create --label uptime --title staging: the service falls short --body-file -';
const edit = 'issue edit 7 --body-file -';
const comment = 'issue comment 7 --body-file -';

test('a week of checks: one issue per outage, comments only for changes, nothing when a check could not judge', () => {
  const { tell } = github();
  const week: [document: CheckDocument, made: string[]][] = [
    [check('passed', 't1'), []],
    [check('failed', 't2', ['love']), [create]],
    [check('failed', 't3', ['love']), [edit]],
    [check('unknown', 't4'), []],
    [{ ...check('passed', 't4'), environment: 'production' }, []],
    [check('failed', 't5', ['love', 'block']), [edit, comment]],
    [check('unreachable', 't6', ['love', 'block']), [edit, comment]],
    [{ ...check('failed', 't6', ['love']), environment: 'production' }, [create.replace('staging', 'production')]],
    [check('slow', 't7'), [comment, 'issue close 7']],
    [check('unknown', 't8'), []],
    [check('refused', 't9', ['love']), [create]],
  ];
  for (const [document, made] of week) assert.deepEqual(tell(document), made, document.startedAt);
});

test('an issue remembers since when, and text of a service never leaves its fenced block', () => {
  const { tell, bodyOf } = github();
  tell(check('failed', 't1', ['love']));
  tell(check('failed', 't2', ['block']));
  const body = bodyOf('staging');
  assert.match(body, /^Since: t1\nLast checked: t2, https:/m);
  const [before, , after] = body.split('```');
  assert.equal(body.split('```').length, 3);
  assert.doesNotMatch(`${before}${after}`, /everybody|script/);
});
