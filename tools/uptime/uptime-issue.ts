import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CheckDocument } from '../../src/cli/check/outputs.ts';
import { verdicts } from '../../src/client/index.ts';

interface OpenIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

/** Runs `gh` with arguments and what it reads; returns what it prints. */
export type Gh = (args: readonly string[], input?: string) => string;

const LABEL = 'uptime';

/**
 * Opens the issue of a check's environment when the service falls short, keeps it up to date while it does, and closes it when
 * everything passes again. A check that could not judge says nothing about the service, so it neither opens nor closes an issue. `run`
 * is the address of the workflow run. Returns why it did nothing, if so.
 */
export function tell(check: CheckDocument, run: string, gh: Gh): string {
  const { environment, verdict, startedAt } = check;
  gh(['label', 'create', LABEL, '--force', '--description', 'A scheduled check found that the service falls short']);
  const fields = ['--json', 'number,title,body'];
  const listed = gh(['issue', 'list', '--label', LABEL, '--state', 'open', '--limit', '200', ...fields]);
  // The unique title of an environment's issue, used to find it.
  const title = `${environment}: the service falls short`;
  const open = (JSON.parse(listed) as OpenIssue[]).find((issue) => issue.title === title);
  const { exitCode } = verdicts[verdict];
  if (exitCode === 3) return `${environment} could not be judged; its issue is unchanged\n`;
  if (exitCode === 0 && !open) return `${environment} passed and has no open issue\n`;
  const number = String(open?.number);
  const comment = (text: string) => gh(['issue', 'comment', number, '--body-file', '-'], text);
  if (exitCode === 0) {
    comment(`All scenarios passed again at ${startedAt}: ${run}`);
    gh(['issue', 'close', number]);
    return '';
  }
  const body = issueBody(check, open, run);
  if (!open) {
    gh(['issue', 'create', '--label', LABEL, '--title', title, '--body-file', '-'], body);
    return '';
  }
  gh(['issue', 'edit', number, '--body-file', '-'], body);
  // A comment sends e-mail: once per change, not once per check.
  if (markOf(open.body) !== markOf(body))
    comment(`The failing scenarios have changed at ${startedAt}: ${run}\n\n${failuresOf(check)}`);
  return '';
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
  // The last line: a response may hold such a comment too.
  return /<!-- failing: (\w+) -->\s*$/.exec(body)?.[1];
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
