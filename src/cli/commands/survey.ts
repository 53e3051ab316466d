import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { ConfigurationError, counted, type Environment, integer, nearest, positive } from '../../environment/index.ts';
import { isAmong, surveyCommand } from '../../facts/index.ts';
import { unlessStopped } from '../../http/index.ts';
import { consentTo, sweep, type UsersRun, withUsers } from '../../safety/index.ts';
import { runSeed } from '../../scenario/index.ts';
import type { CallableId } from '../../service/index.ts';
import {
  type Finding,
  isDecided,
  type KeptSurvey,
  keepSurvey,
  preflight,
  questionsOf,
  runSurvey,
  type SurveyRun,
  surveyedAt,
  unansweredLines,
} from '../../survey/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { environmentOption, loadEnvironments } from '../choosing/choose-environments.ts';
import { checked } from '../choosing/selection-options.ts';
import { Progress } from '../output/progress.ts';
import { interruptible, say, warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';

interface SurveyCommandOptions {
  readonly env: readonly string[];
  readonly rate?: number;
  readonly maxRequests: number;
  readonly update?: boolean;
  readonly only?: string;
  readonly out?: string;
  readonly yes?: boolean;
}

const DEFAULT_RATE = 10;
const DEFAULT_REQUESTS = 5_000;

export function survey(): Command {
  return new Command('survey')
    .addOption(environmentOption('survey').makeOptionMandatory())
    .option(
      '--rate <number>',
      `requests per second (default: ${DEFAULT_RATE}; no limit on loopback)`,
      checked(positive(10_000)),
    )
    .option(
      '--max-requests <number>',
      'stop after this many requests; the same command resumes',
      checked(integer(1, 1_000_000)),
      DEFAULT_REQUESTS,
    )
    .option('--update', 'also replace answers that have changed')
    .option(
      '--only <patterns>',
      `only questions such as 'report repeat', 'missing-header:*' or 'love'; comma-separated`,
    )
    .option(
      '--out <folder>',
      'write to this folder instead of next to the environment’s file, e.g. if that is read-only',
    )
    .option('--yes', 'consent to a first run in advance')
    .action(async (options: SurveyCommandOptions) => {
      const environments = loadEnvironments(options.env);
      for (const environment of environments) assertSomeQuestion(environment, options);
      process.exitCode = await surveyEach(environments, options);
    });
}

/**
 * Surveys environments one after the other, after consent; returns the exit code.
 * @throws ConfigurationError without consent
 */
export async function surveyEach(
  environments: readonly Environment[],
  options: Options = { maxRequests: DEFAULT_REQUESTS },
): Promise<number> {
  for (const environment of environments) await consentTo(environment, { yes: options.yes ?? false });
  const signal = interruptible();
  const codes: number[] = [];
  for (const environment of environments) {
    if (signal.aborted) break;
    if (environments.length > 1) say(`${environment.name}:`);
    const rate = options.rate ?? (environment.isLoopback ? undefined : DEFAULT_RATE);
    codes.push(await withService(surveyedAt(environment, rate), (at) => surveyAlone(at, options, signal)));
  }
  return Math.max(...codes);
}

type Options = Omit<SurveyCommandOptions, 'env'>;

/** Surveys one environment. Holds the lock of its test users, because many questions make changes as one of these users. */
function surveyAlone(environment: Environment, options: Options, signal: AbortSignal): Promise<number> {
  const surveyed = withUsers(environment, { signal, say: warn, isReported: true }, (users) =>
    surveyAndKeep({ environment, users, signal }, options),
  );
  return unlessStopped(surveyed, signal, stoppedAtFirst);
}

async function surveyAndKeep(
  given: { environment: Environment; users: UsersRun; signal: AbortSignal },
  options: Options,
) {
  const { environment, signal } = given;
  const run = { ...given, seed: runSeed(), runId: randomUUID() };
  const only = (question: string, operation: CallableId) => isAsked(question, operation, options);
  const state = await preflight(run);
  if (signal.aborted) return stoppedAtFirst();
  await sweep(environment, { signal });
  const failed = state.failed.map(({ verdict, title, reason }) => `  ${verdict}: ${title}: ${reason}\n`).join('');
  if (!state.isUsable) {
    process.stderr.write(`No scenario passes, so there is nothing to learn from:\n${failed}Nothing was written.\n`);
    return exitCodes.fellShort;
  }
  if (failed)
    process.stderr.write(`These scenarios fail, so the questions that depend on them stay undecided:\n${failed}`);
  const bar = new Progress(`survey of ${environment.name}`);
  const result = await runSurvey({
    ...run,
    maxRequests: options.maxRequests,
    preflight: state,
    only,
    onProgress: (done, total, { operation, question }) => bar.show(done, total, `${operation} ${question}`),
  });
  bar.end();
  const code = keep(result, environment, options);
  return code === exitCodes.held && failed ? exitCodes.fellShort : code;
}

function stoppedAtFirst(): number {
  warn('Stopped before the first question; nothing was written.');
  return exitCodes.unjudged;
}

function keep(run: SurveyRun, environment: Environment, options: Options): number {
  const { findings, ended, left, requests } = run;
  const { update = false, only, out } = options;
  for (const change of left) process.stderr.write(`could not be undone: ${change}\n`);
  const open = findings.filter((finding) => !isDecided(finding));
  say(`${findings.length - open.length} of ${counted(findings.length, 'question')} answered, ${requests} requests`);
  for (const line of unansweredLines(open)) say(`  not answered: ${line}`);
  const kept = keepSurvey(environment, run, { update, ...(only ? { only } : {}), ...(out ? { out } : {}) });
  const missed = open.filter(({ question, operation }) => environment.facts?.of(question, operation));
  if (missed.length > 0) say(`${counted(missed.length, 'earlier answer')} kept: ${namesOf(missed)}`);
  for (const line of changeLines(kept, environment.name)) say(line);
  for (const path of kept.written) say(`wrote ${path}`);
  say(`wrote ${kept.page}, which shows everything with its evidence`);
  if (!ended) return exitCodes.held;
  process.stderr.write(`Not finished: ${ended.message}. The answers so far are kept; the same command resumes.\n`);
  return ended.reason === 'prevented' ? exitCodes.fellShort : exitCodes.unjudged;
}

/** Maximum number of names in a list. A longer list ends with the number of further names. */
const MOST_NAMES = 3;

function namesOf(findings: readonly Finding[]): string {
  const named = findings.slice(0, MOST_NAMES).map(({ operation, question }) => `${operation} ${question}`);
  const more = findings.length - MOST_NAMES;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One line for each answer that has changed, with the answers before and after, and the command that accepts the changes. */
function changeLines({ missing, changed, answersChanged, isUpdated }: KeptSurvey, name: string): string[] {
  const lines = [
    ...changed.map(({ before, after }) => `${namesOf([before])}: ${before.answer} → ${after.answer}`),
    ...answersChanged.map(({ operation, what }) => `${operation} ${what}`),
  ];
  const added = missing.length > 0 ? [`${counted(missing.length, 'fact')} added.`] : [];
  if (lines.length === 0) return [...added, 'No known answer has changed.'];
  const asked = [
    ...changed.map(({ before }) => before),
    ...answersChanged.map(({ operation }) => ({ operation, question: '*' })),
  ];
  const advice = `Changed answers were not written. To accept them, run \`${surveyCommand(name, asked, { update: true })}\`.`;
  return [...added, `${counted(lines.length, 'change')}:`, ...lines, ...(isUpdated ? [] : [advice])];
}

/** Number of similar names that are suggested for a wrong pattern. */
const MOST_NEAR = 5;

/** @throws ConfigurationError if `--only` matches no question */
function assertSomeQuestion(environment: Environment, options: Options): void {
  const { only } = options;
  const all = questionsOf(environment);
  if (only === undefined || all.some(({ question, operation }) => isAsked(question, operation, options))) return;
  const [meant = ''] = only.split(',');
  const known = all.flatMap(({ operation, question }) => [operation, question, `${operation} ${question}`]);
  const near = nearest(meant, known, MOST_NEAR);
  throw new ConfigurationError(
    `None of ${counted(all.length, 'question')} matches --only '${only}'. The nearest names: ${near.join(', ')}. docs/learn.md lists all questions.`,
  );
}

function isAsked(question: string, operation: CallableId, { only }: Options): boolean {
  return only === undefined || isAmong(only, { question, operation });
}
