import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheckDocument, checkDocument } from '../../src/cli/check/outputs.ts';
import type { Verdict } from '../../src/client/index.ts';
import { fakeResult } from '../../src/testing/monitor/fakes.ts';
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

const nothing = { endedAt: 9, requests: 0, causes: [], asked: [], remarks: [], credentials: [] };

/** The document of a check in which these scenarios have a verdict. */
function check(verdict: Verdict, startedAt: number, titles = ['love'], environment = 'staging'): CheckDocument {
  const reason = `assumed: it works — \`\`\` @everybody <script> <!-- failing: 0 --> ${startedAt}`;
  const results = titles.map((title) => fakeResult(verdict, startedAt, { title, reason }));
  return checkDocument({ ...nothing, environment, startedAt, results });
}

const create = 'issue create --label uptime --title staging: the service falls short --body-file -';
const edit = 'issue edit 7 --body-file -';
const comment = 'issue comment 7 --body-file -';

test('a week of checks: one issue per outage, comments only for changes, nothing when a check could not judge', () => {
  const { tell } = github();
  const week: [document: CheckDocument, made: string[]][] = [
    [check('passed', 1), []],
    [check('failed', 2), [create]],
    [check('failed', 3), [edit]],
    [check('unknown', 4), []],
    [check('passed', 4, ['love'], 'production'), []],
    [check('failed', 5, ['love', 'block']), [edit, comment]],
    [check('unreachable', 6, ['love', 'block']), [edit, comment]],
    [check('failed', 6, ['love'], 'production'), [create.replace('staging', 'production')]],
    [check('slow', 7), [comment, 'issue close 7']],
    [check('unknown', 8), []],
    [check('refused', 9), [create]],
  ];
  for (const [document, made] of week) assert.deepEqual(tell(document), made, document.startedAt);
});

test('an issue remembers since when, and text of a service never leaves its fenced block', () => {
  const { tell, bodyOf } = github();
  tell(check('failed', 1));
  tell(check('failed', 2, ['block']));
  const body = bodyOf('staging');
  assert.match(body, /^Since: \S+\.001Z\nLast checked: \S+\.002Z, https:/m);
  const [before, , after] = body.split('```');
  assert.equal(body.split('```').length, 3);
  assert.doesNotMatch(`${before}${after}`, /everybody|script/);
});
