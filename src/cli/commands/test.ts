import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command } from 'commander';
import { ConfigurationError, didYouMean, EMBEDDED, type Environment } from '../../environment/index.ts';
import { addToJobPage, LEFT_OUT_VARIABLE, OTHER_REPORTERS_VARIABLE, reportLink } from '../../playwright/index.ts';
import { redactJson } from '../../redaction/index.ts';
import { allScenarios, outcomeOfResult, runScenario, type TestOutcome } from '../../run/index.ts';
import { consentTo, leftoversOf, stoppedText } from '../../safety/index.ts';
import { assertOutputFolder, outputFiles, SEED_VARIABLE } from '../../scenario/index.ts';
import { areaIds, effects } from '../../service/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { environmentOption, loadEnvironments, setOption } from '../choosing/choose-environments.ts';
import { checkedQuarantine } from '../choosing/choose-scenarios.ts';
import { grepOf, titleSource, type Words, withWords, wordsText } from '../choosing/selection-options.ts';
import { interruptible, warn } from '../output/terminal.ts';
import { makeReport } from '../playwright/allure-report.ts';
import { assertBrowser, assertModules, otherReportersIn, runPlaywright } from '../playwright/playwright-run.ts';

interface TestOptions extends Words {
  readonly env: readonly string[];
  readonly set: readonly string[];
  readonly scenario?: string;
  readonly seed?: string;
  readonly ui?: boolean;
  readonly yes?: boolean;
}

/** `sextant test`: runs the suite under Playwright Test, then builds the Allure report. */
export function test(): Command {
  return withWords(new Command('test'), 'tests')
    .addOption(environmentOption('test').default([], EMBEDDED))
    .addOption(setOption())
    .option('--scenario <glob>', 'only tests whose title matches, e.g. "*profile*"')
    .option('--seed <seed>', 'use the same data as the run that printed this seed')
    .option('--ui', "open Playwright's UI mode")
    .option('--yes', 'consent to what a first run against an environment may do')
    .argument('[playwright...]', 'options for Playwright, after --, e.g. -- --last-failed --retries 2')
    .action(async (extra: readonly string[], { yes = false, ...options }: TestOptions) => {
      const loaded = loadEnvironments(options.env, options.set);
      const environments = loaded.map(({ name }) => name);
      assertModules();
      await checkedQuarantine();
      for (const environment of loaded) await consentTo(environment, { yes });
      if (options.ui) await assertBrowser(extra);
      const { summary, page } = outputFiles();
      assertOutputFolder();
      const before = writtenAt(summary);
      const signal = interruptible();
      const { reporters, rest } = otherReportersIn(extra);
      const args = [...playwrightArguments(environments, options), ...rest];
      const title = options.scenario === undefined ? '' : `--scenario '${options.scenario}'`;
      const asked = [title, wordsText(options), ...extra].join(' ').trim();
      const variables: Record<string, string> = {
        ...(options.seed ? { [SEED_VARIABLE]: options.seed } : {}),
        [OTHER_REPORTERS_VARIABLE]: reporters.join(','),
        [LEFT_OUT_VARIABLE]: JSON.stringify(options.ui ? [] : await notLoaded(loaded)),
      };
      const { code, isUsage, isEmpty, isKilled } = await runPlaywright(args, variables, signal);
      if (isKilled) for (const environment of loaded) warnOfLeft(environment);
      process.exitCode = isUsage ? exitCodes.usage : code;
      if (isEmpty) throw new ConfigurationError(nothingMatches(environments, options, asked));
      // If no test has started, the summary is missing or from an earlier run, so there is nothing to report.
      if (options.ui || signal.aborted || [undefined, before].includes(writtenAt(summary))) return;
      const report = relative(process.cwd(), await makeReport(process.env, signal));
      addToJobPage(`\n${reportLink(report, process.env)}\n`, page);
      // If another reporter is used, standard output may be that reporter's document.
      (reporters.length > 0 ? process.stderr : process.stdout).write(`  Report ${report}\n`);
    });
}

/**
 * A result for each spec file that can't be loaded, with the reason, as `check` shows it. Playwright alone would show nothing for these
 * files.
 */
async function notLoaded(environments: readonly Environment[]): Promise<TestOutcome[]> {
  const files = (await allScenarios()).filter(({ keepsFileOut }) => keepsFileOut);
  const outcomes: TestOutcome[] = [];
  for (const environment of environments)
    for (const scenario of files) {
      const result = await runScenario(scenario, { environment, seed: '', runId: randomUUID() });
      outcomes.push(outcomeOfResult(environment.name, result, [result.reason ?? '']));
    }
  return redactJson(outcomes);
}

function writtenAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function playwrightArguments(environments: readonly string[], options: TestOptions): string[] {
  const title = options.scenario === undefined ? '' : `(?=.*${titleSource(options.scenario)})`;
  const grep = (grepOf(options) ?? '') + title;
  return [
    ...environments.map((name) => `--project=${name}`),
    ...(grep ? ['--grep', grep] : []),
    // Without this option, Playwright prints its own message if a run has no tests. `nothingMatches` prints a better one, with the options
    // that matched no test.
    '--pass-with-no-tests',
    ...(options.ui ? ['--ui'] : []),
  ];
}

/** The message if no test was chosen; `asked` are the options that chose the tests. */
function nothingMatches(environments: readonly string[], { tag = [] }: TestOptions, asked: string): string {
  const known = [...areaIds, ...effects, 'all', 'restorable'];
  const meant = tag.map((each) => didYouMean(each.replace(/^@/, ''), known)).join('');
  if (meant) return `No test in ${environments.join(', ')} matches ${asked}${meant}.`;
  return `No test in ${environments.join(', ')} matches ${asked}. \`npx playwright test --list\` lists the tests.`;
}

/** Reports the changes that a killed run left behind, and that the next run will undo. */
function warnOfLeft(environment: Environment): void {
  const left = leftoversOf(environment);
  if (left.length > 0) warn(stoppedText(environment.name, left));
}
