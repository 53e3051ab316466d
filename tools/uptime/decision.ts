import { createHash } from 'node:crypto';
import type { CheckDocument } from '../../src/cli/check/json-document.ts';
import { verdicts } from '../../src/client/index.ts';

/** The open issue of an environment. */
export interface OpenIssue {
  readonly number: number;
  readonly body: string;
}

/** What to do about an environment's issue. */
export type Decision =
  | { readonly action: 'none'; readonly why: string }
  | { readonly action: 'open'; readonly title: string; readonly body: string }
  | { readonly action: 'update'; readonly number: number; readonly body: string; readonly comment?: string }
  | { readonly action: 'close'; readonly number: number; readonly comment: string };

/** The one title of an environment's issue, by which it is found again. */
export function issueTitle(environment: string): string {
  return `${environment}: the service falls short`;
}

/**
 * What a check's outcome means for the environment's issue: one is opened when the service falls short, kept up to date
 * while it does, and closed when all passes again. A check that could not judge says nothing of the service, so it
 * neither opens nor closes one. `run` is the address of the run that checked.
 */
export function decide(check: CheckDocument, open: OpenIssue | undefined, run: string): Decision {
  const { environment, verdict, startedAt } = check;
  const { exitCode } = verdicts[verdict];
  if (exitCode === 3) return { action: 'none', why: `${environment} could not be judged; its issue stays as it is` };
  if (exitCode === 0) {
    if (!open) return { action: 'none', why: `${environment} is well and has no open issue` };
    return { action: 'close', number: open.number, comment: `All scenarios passed again at ${startedAt}: ${run}` };
  }
  const body = issueBody(check, open, run);
  if (!open) return { action: 'open', title: issueTitle(environment), body };
  // A comment sends mail: once for every change, not once for every check.
  const isChanged = markOf(open.body) !== markOf(body);
  const comment = `What falls short has changed at ${startedAt}: ${run}\n\n${failuresOf(check)}`;
  return { action: 'update', number: open.number, body, ...(isChanged ? { comment } : {}) };
}

function issueBody(check: CheckDocument, open: OpenIssue | undefined, run: string): string {
  const since = open ? (/^Since: (\S+)$/m.exec(open.body)?.[1] ?? check.startedAt) : check.startedAt;
  const failing = failingOf(check).map(({ title, verdict }) => `${verdict} ${title}`);
  const mark = createHash('sha256').update(failing.sort().join('\n')).digest('hex').slice(0, 16);
  return [
    `Verdict: ${check.verdict}`,
    `Since: ${since}`,
    `Last checked: ${check.startedAt}, ${run}`,
    '',
    failuresOf(check),
    '',
    'This issue is kept up to date by every check, and closed by the first one that passes.',
    `<!-- failing: ${mark} -->`,
  ].join('\n');
}

function markOf(body: string): string | undefined {
  return /<!-- failing: (\w+) -->/.exec(body)?.[1];
}

/** In a fenced block, for what a service answered may hold mark-up, links and names that would be called. */
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
