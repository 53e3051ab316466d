import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { ConfigurationError, counted, type Environment, integer, positive } from '../../config/index.ts';
import {
  agreed,
  consentTo,
  findingLines,
  findingsOf,
  forgetMemory,
  reportLeft,
  runSeed,
  undoAndReportLeftovers,
  undoQuietly,
} from '../../scenario/index.ts';
import type { CallableId } from '../../spec/index.ts';
import {
  bestAnswers,
  bestFacts,
  changes,
  type KeptSurvey,
  keptSurvey,
  type Learned,
  type ProgressFile,
  preflight,
  progressFile,
  questionsOf,
  runSurvey,
  type SurveyRun,
  UNDECIDED,
  writeSurvey,
} from '../../survey/index.ts';
import { environmentOption, loadEnvironments } from '../choosing/choose.ts';
import { checked, fits, grepOf, textAbout, type Words, withWords, wordsText } from '../choosing/words.ts';
import { Progress } from '../output/progress.ts';
import { interruptible, say } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';

interface SurveyCommandOptions extends Words {
  readonly env: readonly string[];
  readonly rate?: number;
  readonly maxRequests: number;
  readonly update?: boolean;
  readonly yes?: boolean;
}

/** The service fell short of what a survey needs. */
const FELL_SHORT = 1;
/** It stopped early; the same command resumes. */
const UNFINISHED = 3;

const DEFAULT_RATE = 10;

export function survey(): Command {
  return withWords(new Command('survey'), 'questions', 'name')
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
      5_000,
    )
    .option('--update', 'replace the earlier results, after showing what would change')
    .option('--yes', 'skip questions: consent to a first run and to replacing earlier results')
    .action(async (options: SurveyCommandOptions) => {
      // A survey finds out how a service is, not whether it is as its team's own document has it.
      const environments = loadEnvironments(options.env).map(({ contract: _, ...rest }) => rest);
      for (const environment of environments) assertSomeQuestion(environment, options);
      for (const environment of environments) await consentTo(environment, { yes: options.yes ?? false });
      const signal = interruptible();
      const codes: number[] = [];
      for (const environment of environments) {
        if (signal.aborted) break;
        if (environments.length > 1) say(`${environment.name}:`);
        codes.push(await withService(environment, (at) => surveyAndKeep(at, options, signal)));
      }
      process.exitCode = Math.max(...codes);
    });
}

async function surveyAndKeep(
  environment: Environment,
  options: SurveyCommandOptions,
  signal: AbortSignal,
): Promise<number> {
  const run = { environment, seed: runSeed(), runId: randomUUID(), signal };
  await undoAndReportLeftovers(environment, signal);
  const only = (question: string, operation: CallableId) => fits(textOf(question, operation), options);
  const state = await preflight(run);
  if (signal.aborted) {
    reportLeft(environment);
    return UNFINISHED;
  }
  await undoQuietly(environment, { signal });
  const failed = state.failed.map(({ verdict, title, reason }) => `  ${verdict}: ${title}: ${reason}\n`).join('');
  if (!state.isUsable) {
    process.stderr.write(`No scenario passes, so there is nothing to learn from:\n${failed}Nothing was written.\n`);
    return FELL_SHORT;
  }
  if (failed) process.stderr.write(`These scenarios fail, and what depends on them stays undecided:\n${failed}`);
  const file = progressFile(environment);
  const bar = new Progress(`survey of ${environment.name}`);
  const rate = options.rate ?? (environment.isLoopback ? undefined : DEFAULT_RATE);
  const result = await runSurvey({
    ...run,
    ...(rate ? { rate } : {}),
    maxRequests: options.maxRequests,
    file,
    preflight: state,
    only,
    onProgress: (done, total, { operation, question }) => bar.show(done, total, `${operation} ${question}`),
  });
  bar.end();
  for (const line of findingLines(environment.name, findingsOf(run.runId, environment.name))) say(line);
  const code = await keep(result, file, environment, options);
  return code === 0 && failed ? FELL_SHORT : code;
}

async function keep(
  { survey: found, observed, ended, left }: SurveyRun,
  file: ProgressFile,
  environment: Environment,
  options: SurveyCommandOptions,
): Promise<number> {
  const isPart = grepOf(options) !== undefined;
  for (const change of left) process.stderr.write(`could not be undone: ${change}\n`);
  const open = found.facts.filter(({ answer }) => answer === UNDECIDED);
  say(`${found.facts.length - open.length} of ${found.facts.length} questions decided, ${found.requests} requests`);
  for (const [tried, facts] of Map.groupBy(open, (fact) => fact.tried))
    say(`  undecided: ${facts.map(({ operation, question }) => `${operation} ${question}`).join(', ')}: ${tried}`);
  if (ended) {
    process.stderr.write(`Not finished: ${ended.message}. The results so far are kept; the same command resumes.\n`);
    return UNFINISHED;
  }
  // Part of a survey learns only of the operations that it asked about, though all scenarios ran before.
  const asked = new Set(found.facts.map(({ operation }) => operation));
  const learned = isPart ? observed.filter(({ operation }) => asked.has(operation)) : observed;
  // Committed schemas without a survey are not replaced without asking either.
  const committed = [...(environment.observed?.values() ?? [])];
  const before = keptSurvey(environment.name) ?? (committed.length > 0 ? { facts: [], answers: committed } : undefined);
  const kept: KeptSurvey = {
    ...found,
    facts: bestFacts(before?.facts ?? [], found.facts, isPart),
    answers: bestAnswers(before?.answers ?? [], learned),
  };
  const missed = found.facts.filter((fact) => fact.answer === UNDECIDED && !kept.facts.includes(fact));
  if (missed.length > 0) {
    const named = missed.slice(0, 3).map(({ operation, question, tried }) => `\n  ${operation} ${question}: ${tried}`);
    say(
      `${counted(missed.length, 'earlier answer')} kept, not found out again:${named.join('')}${missed.length > 3 ? '\n  …' : ''}`,
    );
  }
  if (before && !(await mayReplace(before, kept, options))) {
    file.remove();
    return 0;
  }
  for (const path of writeSurvey(kept)) say(`wrote ${path}`);
  // Whatever is the case now was meant to be: what was accepted and refused here before is learned anew.
  forgetMemory(environment.name);
  file.remove();
  return 0;
}

/** @throws ConfigurationError when the words fit no question. */
function assertSomeQuestion(environment: Environment, words: Words): void {
  const all = questionsOf(environment);
  if (all.some(({ question, operation }) => fits(textOf(question, operation), words))) return;
  const names = [...new Set(all.map(({ question }) => question))].join(', ');
  throw new ConfigurationError(
    `None of ${counted(all.length, 'question')} matches ${wordsText(words)}. Tags: operations, areas, effects. Questions: ${names}.`,
  );
}

function textOf(question: string, operation: CallableId): string {
  return textAbout(`${operation} ${question}`, operation);
}

async function mayReplace(before: Learned, after: KeptSurvey, options: SurveyCommandOptions): Promise<boolean> {
  const { update, yes } = options;
  const found = changes(before, after);
  for (const { operation, what, observedAt } of found)
    say(`${(observedAt.slice(0, 10) || 'new').padEnd(12)}${operation} ${what}`);
  say(found.length === 0 ? 'No changes.' : `${found.length} change(s).`);
  // New dates alone don't change committed files.
  if (found.length === 0 && before.facts.length > 0) return false;
  if (!update) {
    if (found.length > 0) say('Nothing was written. Use --update to write the new results.');
    return false;
  }
  if (yes) return true;
  if (!process.stdin.isTTY) {
    say('Nothing was written: there is no terminal to ask on. Use --yes to confirm in advance.');
    return false;
  }
  return agreed('Write these changes? [y/N] ', process.stdin, process.stdout);
}
