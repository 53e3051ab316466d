import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { CheckDocument } from '../../src/cli/check/outputs.ts';
import { type Decision, decide, issueTitle, type OpenIssue } from './decision.ts';

/**
 * `node tools/uptime/uptime-issue.ts <check.json> <address of the run>`: opens, updates or closes the issue of the environment
 * of a check with the `gh` command, which reads GH_TOKEN and GH_REPO from the process environment.
 */
const LABEL = 'uptime';

const [file, run] = process.argv.slice(2);
if (!file || !run) {
  process.stderr.write('usage: node tools/uptime/uptime-issue.ts <check.json> <address of the run>\n');
  process.exit(2);
}
const text = readFileSync(file, 'utf8');
if (text.trim() === '') {
  process.stdout.write('The check printed no JSON document; the issue is unchanged.\n');
  process.exit(0);
}
const check = JSON.parse(text) as CheckDocument;
const decision = decide(check, openIssue(check.environment), run);
carryOut(decision);

function openIssue(environment: string): OpenIssue | undefined {
  gh(['label', 'create', LABEL, '--force', '--description', 'A scheduled check found that the service falls short']);
  const fields = ['--json', 'number,title,body'];
  const listed = gh(['issue', 'list', '--label', LABEL, '--state', 'open', '--limit', '200', ...fields]);
  const issues = JSON.parse(listed) as (OpenIssue & { readonly title: string })[];
  return issues.find(({ title }) => title === issueTitle(environment));
}

function carryOut(decision: Decision): void {
  switch (decision.action) {
    case 'none':
      process.stdout.write(`${decision.why}\n`);
      break;
    case 'open':
      gh(['issue', 'create', '--label', LABEL, '--title', decision.title, '--body-file', '-'], decision.body);
      break;
    case 'update':
      gh(['issue', 'edit', String(decision.number), '--body-file', '-'], decision.body);
      if (decision.comment) gh(['issue', 'comment', String(decision.number), '--body-file', '-'], decision.comment);
      break;
    case 'close':
      gh(['issue', 'comment', String(decision.number), '--body-file', '-'], decision.comment);
      gh(['issue', 'close', String(decision.number)]);
  }
}

function gh(args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('gh', args, { input, encoding: 'utf8' });
  if (status === 0) return stdout;
  process.stderr.write(`gh ${args.slice(0, 2).join(' ')} failed: ${error?.message ?? stderr}\n`);
  return process.exit(1);
}
