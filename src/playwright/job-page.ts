import { appendText, fileRoles } from '../environment/files/index.ts';
import { counted } from '../environment/index.ts';
import { type Redacted, redact, withoutCommands } from '../redaction/index.ts';
import {
  type CauseInRun,
  type Counts,
  causeDetails,
  causeLine,
  type TestOutcome,
  type Traffic,
  trafficText,
} from '../run/ending/index.ts';
import { escaped } from './escaped.ts';
import type { RunIdentity } from './run-facts.ts';
import { columns, isAboveCounts, isUnjudged, linesOf, type RunLine, type RunReport, rowsOf } from './summary.ts';

/** Limits of a page: nobody reads a longer page, and GitHub accepts at most 1 MB. MOST_CHARACTERS limits the error text of each cause. */
const MOST_CAUSES = 25;
const MOST_CHARACTERS = 4_000;

/**
 * The causes of a run's failures in Markdown. Each cause has one failure in full, and the titles of the tests that failed because of this
 * cause. Empty if there are no causes.
 */
export function causesMarkdown({ causes, outcomes, noun }: RunReport): string {
  const more = causes.length - MOST_CAUSES;
  return [
    ...causes
      .slice(0, MOST_CAUSES)
      .map((cause) => causeMarkdown(cause, noun, messageOf(exampleOf(outcomes, cause.example)))),
    ...(more > 0 ? [`${counted(more, 'more cause')}; the report lists them.`, ''] : []),
  ].join('\n');
}

/** A line that says where a job's report is: among the artifacts of the run on GitHub and GitLab, otherwise at the path where it was written. */
export function reportLink(path: string, env: NodeJS.ProcessEnv): string {
  const { CI_JOB_URL: job } = env;
  const run = githubRun(env);
  const artifacts = run ? `${run}#artifacts` : job && `${job}/artifacts/browse`;
  return artifacts ? `[Report](${artifacts}): \`${path}\` in the artifacts` : `Report: \`${path}\``;
}

/** The page of a run, in Markdown: the run's environments, commit and seed, the causes of failures, and a table by area. */
export function runPage(title: string, run: PageHead, report: RunReport, traffic: Traffic): string {
  const { summary } = report;
  const mark = ({ failed, unknown, passed }: Counts, ending = 'passed') =>
    failed > 0 ? '❌' : unknown > 0 || ending !== 'passed' ? '❔' : passed > 0 ? '✅' : '⏭️';
  const row = (name: string, counts: Counts) =>
    `| ${mark(counts)} ${name} | ${columns.map((column) => counts[column]).join(' | ')} |`;
  const lines = linesOf(report);
  const listed = lines.flatMap(({ kind, text }) =>
    marks[kind] === undefined ? [] : `- ${marks[kind]}${inline(text)}`,
  );
  const below = lines.filter((line) => !isAboveCounts(line));
  const reasons = below.flatMap(({ kind, text }) => (kind === 'unproven' ? [] : `- ${kind} ${inline(text)}`));
  const unproven = below.flatMap(({ kind, text }) => (kind === 'unproven' ? ['', inline(text)] : []));
  return `${[
    `### ${mark(summary, isUnjudged(summary) ? 'failed' : run.status)} ${title}`,
    '',
    `${runMarkdown(run, process.env)} · ${trafficText(traffic)}`,
    '',
    ...(report.causes.length > 0 ? [causesMarkdown(report)] : []),
    ...(listed.length > 0 ? [...listed, ''] : []),
    '| Area | Failed | Unknown | Passed | Skipped | Unproven |',
    '|---|--:|--:|--:|--:|--:|',
    ...rowsOf(summary).map(([name, counts]) => row(name, counts)),
    row('**Total**', summary),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
    ...unproven,
  ].join('\n')}\n`;
}

/**
 * The symbols in front of the lines above the table, by the kind of the line. Lines of other kinds are not above the table: the causes, for
 * example, have a separate part of the page.
 */
const marks: Partial<Record<RunLine['kind'], string>> = { warning: '⚠️ ', advice: '' };

/** The properties of a run that the head of its page shows. */
interface PageHead extends Pick<RunIdentity, 'commit' | 'seed'>, Partial<Pick<RunIdentity, 'status'>> {
  readonly environments: readonly string[];
}

function exampleOf(
  outcomes: readonly TestOutcome[],
  { environment, title }: CauseInRun['example'],
): TestOutcome | undefined {
  return outcomes.find((each) => each.environment === environment && each.title === title);
}

/** The first error of a test. Later errors only repeat the first, or come from clean-up. */
function messageOf(outcome: TestOutcome | undefined): string {
  return outcome?.messages?.[0] ?? '';
}

/** One line of Markdown that identifies a run: environments, commit, seed, and the pipeline that the run is part of. */
export function runMarkdown(run: PageHead, env: NodeJS.ProcessEnv): string {
  const pipeline = githubRun(env) ?? env.CI_PIPELINE_URL;
  return [
    `Environment ${run.environments.map((name) => `\`${name}\``).join(', ')}`,
    ...(run.commit ? [`commit \`${run.commit.slice(0, 12)}\``] : []),
    `seed \`${run.seed}\``,
    ...(pipeline ? [`[pipeline](${pipeline})`] : []),
  ].join(' · ');
}

function githubRun(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

function causeMarkdown(cause: CauseInRun, noun: RunReport['noun'], text: string): string {
  const { environment, tests, example } = cause;
  const details = causeDetails(cause).map((line) => `${inline(line)}\n\n`);
  const plain = text.trim();
  const shown = plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
  // The fence must be longer than any sequence of backticks in the text. Otherwise the text could end the block.
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const titles = tests.map((title) => `- ${inline(title)}`).join('\n');
  return `#### ❌ ${inline(causeLine(cause, noun))}

${details.join('')}<details open><summary><b>${escaped(example.title)}</b> · ${escaped(environment)}</summary>

${fence}text
${shown}
${fence}

</details>
${tests.length > 1 ? `\n<details><summary>All of them</summary>\n\n${titles}\n\n</details>\n` : ''}`;
}

function inline(text: string): string {
  return escaped(text).replace(/[*_`[\]|]/g, '\\$&');
}

/** Appends Markdown to the run's own page, and on GitHub also to the page of the job. */
export function addToJobPage(markdown: string, file: string | undefined): void {
  const text = redact(withoutCommands(markdown));
  if (file) appendText(file, text, fileRoles.written);
  const job = process.env.GITHUB_STEP_SUMMARY;
  if (job) appendText(job, text, { what: 'GITHUB_STEP_SUMMARY' });
}

/** GitHub's workflow commands: one error for each cause, at the spec's line of the test that shows the cause best. */
export function annotationsOf({ outcomes, causes, noun }: RunReport): Redacted[] {
  return causes.flatMap((cause) => {
    const { environment, example } = cause;
    const outcome = exampleOf(outcomes, example);
    if (outcome?.file === undefined) return [];
    const text = `${example.title}\n${messageOf(outcome)}`;
    const title = property(`${environment}: ${causeLine(cause, noun)}`);
    return redact(`::error file=${property(outcome.file)},line=${outcome.line ?? 1},title=${title}::${data(text)}`);
  });
}

function data(text: string): string {
  return withoutCommands(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
