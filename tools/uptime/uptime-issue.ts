import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CheckDocument } from '../../src/cli/check/outputs.ts';
import { verdicts } from '../../src/client/index.ts';

export interface OpenIssue {
  readonly number: number;
  readonly body: string;
}

export type Decision =
  | { readonly action: 'none'; readonly why: string }
  | { readonly action: 'open'; readonly title: string; readonly body: string }
  | { readonly action: 'update'; readonly number: number; readonly body: string; readonly comment?: string }
  | { readonly action: 'close'; readonly number: number; readonly comment: string };

/** The unique title of an environment's issue, used to find it. */
const issueTitle = (environment: string) => `${environment}: the service falls short`;

/**
 * The action for an environment's issue after a check: open it when the service falls short, keep it up to date
 * while it does, and close it when everything passes again. A check that could not judge says nothing about the service,
 * so it neither opens nor closes an issue. `run` is the address of the workflow run.
 */
export function decide(check: CheckDocument, open: OpenIssue | undefined, run: string): Decision {
  const { environment, verdict, startedAt } = check;
  const { exitCode } = verdicts[verdict];
  if (exitCode === 3) return { action: 'none', why: `${environment} could not be judged; its issue is unchanged` };
  if (exitCode === 0) {
    if (!open) return { action: 'none', why: `${environment} passed and has no open issue` };
    return { action: 'close', number: open.number, comment: `All scenarios passed again at ${startedAt}: ${run}` };
  }
  const body = issueBody(check, open, run);
  if (!open) return { action: 'open', title: issueTitle(environment), body };
  // A comment sends e-mail: once per change, not once per check.
  const isChanged = markOf(open.body) !== markOf(body);
  const comment = `The failing scenarios have changed at ${startedAt}: ${run}\n\n${failuresOf(check)}`;
  return { action: 'update', number: open.number, body, ...(isChanged ? { comment } : {}) };
}

function issueBody(check: CheckDocument, open: OpenIssue | undefined, run: string): string {
  const since = open ? (/^Since: (\S+)$/m.exec(open.body)?.[1] ?? check.startedAt) : check.startedAt;
  const failing = failingOf(check).map(({ title, verdict }) => `${verdict} ${title}`);
  const mark = hash('sha256', failing.sort().join('\n')).slice(0, 16);
  return [
    `Verdict: ${check.verdict}`,
    `Since: ${since}`,
    `Last checked: ${check.startedAt}, ${run}`,
    '',
    failuresOf(check),
    '',
    'Every check updates this issue, and the first one that passes closes it.',
    `<!-- failing: ${mark} -->`,
  ].join('\n');
}

function markOf(body: string): string | undefined {
  return /<!-- failing: (\w+) -->/.exec(body)?.[1];
}

/** Puts text in a fenced block: a response may contain markup, links and user mentions. */
function failuresOf(check: CheckDocument): string {
  const hosts = check.hosts.map(({ address, phase, reason }) => `${address} ${phase}: ${reason}`);
  const lines = failingOf(check).flatMap(({ title, verdict, reason, curl }) => [
    `${verdict}: ${title}`,
    ...[reason, curl].filter((line) => line !== null).map((line) => `  ${line}`),
  ]);
  const text = [...hosts, ...lines].join('\n').replaceAll('`', "'");
  return `\`\`\`text\n${text.slice(0, 50_000)}\n\`\`\``;
}

function failingOf({ scenarios }: CheckDocument): CheckDocument['scenarios'] {
  return scenarios.filter(({ verdict }) => verdicts[verdict].exitCode === 1);
}

/** Runs `gh` with arguments and what it reads; returns what it prints. */
export type Gh = (args: readonly string[], input?: string) => string;

const LABEL = 'uptime';

/** Opens, updates or closes the issue of the environment of a check; returns why it did nothing, if so. */
export function tell(check: CheckDocument, run: string, gh: Gh): string {
  gh(['label', 'create', LABEL, '--force', '--description', 'A scheduled check found that the service falls short']);
  const fields = ['--json', 'number,title,body'];
  const listed = gh(['issue', 'list', '--label', LABEL, '--state', 'open', '--limit', '200', ...fields]);
  const issues = JSON.parse(listed) as (OpenIssue & { readonly title: string })[];
  const open = issues.find(({ title }) => title === issueTitle(check.environment));
  const decision = decide(check, open, run);
  if (decision.action === 'none') return `${decision.why}\n`;
  if (decision.action === 'open') {
    gh(['issue', 'create', '--label', LABEL, '--title', decision.title, '--body-file', '-'], decision.body);
    return '';
  }
  const number = String(decision.number);
  if (decision.action === 'update') gh(['issue', 'edit', number, '--body-file', '-'], decision.body);
  if (decision.comment) gh(['issue', 'comment', number, '--body-file', '-'], decision.comment);
  if (decision.action === 'close') gh(['issue', 'close', number]);
  return '';
}

function runGh(args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('gh', args, { input, encoding: 'utf8' });
  if (status === 0) return stdout;
  process.stderr.write(`gh ${args.slice(0, 2).join(' ')} failed: ${error?.message ?? stderr}\n`);
  return process.exit(1);
}

// `node tools/uptime/uptime-issue.ts <check.json> <address of the run>`; `gh` reads GH_TOKEN and GH_REPO.
if (import.meta.main) {
  const [file, run] = process.argv.slice(2);
  if (!file || !run) {
    process.stderr.write('usage: node tools/uptime/uptime-issue.ts <check.json> <address of the run>\n');
    process.exit(2);
  }
  const text = readFileSync(file, 'utf8').trim();
  const said = text === '' ? 'The check printed no JSON document; the issue is unchanged.\n' : '';
  process.stdout.write(said || tell(JSON.parse(text) as CheckDocument, run, runGh));
}
