import { stripVTControlCharacters } from 'node:util';

/** A failure on the page of a job. */
export interface Failure {
  readonly environment: string;
  readonly title: string;
  /** The reason, the expectation with what was seen, and the curl line. */
  readonly text: string;
}

/** A page that lists more is read by nobody, and GitHub takes no more than 1 MB. */
const MOST_FAILURES = 25;
const MOST_CHARACTERS = 4_000;

/** The failures of a run, in Markdown; empty without any. */
export function failuresMarkdown(failures: readonly Failure[]): string {
  if (failures.length === 0) return '';
  const more = failures.length - MOST_FAILURES;
  return [
    '',
    ...failures.slice(0, MOST_FAILURES).map(failureMarkdown),
    ...(more > 0 ? [`${more} more failed; the report lists them.`, ''] : []),
  ].join('\n');
}

/** What is known when the run has ended: the likely causes by environment, and where the report is. */
export function closingMarkdown(causes: readonly string[], report: string | undefined): string {
  const lines = causes.map((cause) => `- ${inline(cause)}`);
  return [
    ...(lines.length > 0 ? ['', '#### Likely causes', '', ...lines] : []),
    ...(report ? ['', report] : []),
    '',
  ].join('\n');
}

/** Where a job's report is: among the artifacts of the run on GitHub and GitLab, else where it was written. */
export function reportLink(path: string, env: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env;
  const artifacts =
    server && repository && run
      ? `${server}/${repository}/actions/runs/${run}#artifacts`
      : job && `${job}/artifacts/browse`;
  return artifacts ? `[Report](${artifacts}): \`${path}\` in the artifacts` : `Report: \`${path}\``;
}

function failureMarkdown({ environment, title, text }: Failure): string {
  const plain = stripVTControlCharacters(text).trim();
  const shown = plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
  // No run of backticks in the text may end the block.
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [
    `<details open><summary>❌ <b>${escaped(title)}</b> · ${escaped(environment)}</summary>`,
    '',
    `${fence}text`,
    shown,
    fence,
    '',
    '</details>',
    '',
  ].join('\n');
}

function inline(text: string): string {
  return escaped(text).replace(/[*_`[\]|]/g, '\\$&');
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character);
}
