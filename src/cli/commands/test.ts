import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command } from 'commander';
import { ConfigurationError, didYouMean, EMBEDDED, type Environment } from '../../environment/index.ts';
import { addToJobPage, reportLink } from '../../playwright/index.ts';
import { consentTo, leftoversOf, stoppedText } from '../../safety/index.ts';
import { assertOutputFolder, outputFiles, SEED_VARIABLE } from '../../scenario/index.ts';
import { areaIds, effects } from '../../service/index.ts';
import { checkedQuarantine, environmentOption, loadEnvironments } from '../choosing/choose.ts';
import { grepOf, type Words, withWords, wordsText } from '../choosing/selection-options.ts';
import { interruptible, warn } from '../output/terminal.ts';
import { makeReport } from '../playwright/allure-report.ts';
import { assertBrowser, assertModules, runPlaywright } from '../playwright/playwright-run.ts';

interface TestOptions extends Words {
  readonly env: readonly string[];
  readonly seed?: string;
  readonly ui?: boolean;
  readonly yes?: boolean;
}

/** `sextant test`: the suite under Playwright Test, then the Allure report. */
export function test(): Command {
  return withWords(new Command('test'), 'tests')
    .addOption(environmentOption('test').default([], EMBEDDED))
    .option('--seed <seed>', 'use the same data as the run that printed this seed')
    .option('--ui', "open Playwright's UI mode")
    .option('--yes', 'consent to what a first run against an environment may do')
    .argument('[playwright...]', 'options for Playwright, after --, e.g. -- --last-failed --retries 2')
    .action(async (extra: readonly string[], { yes = false, ...options }: TestOptions) => {
      const loaded = loadEnvironments(options.env);
      const environments = loaded.map(({ name }) => name);
      assertModules();
      await checkedQuarantine();
      for (const environment of loaded) await consentTo(environment, { yes });
      if (options.ui) await assertBrowser(extra);
      const { summary, page } = outputFiles();
      assertOutputFolder();
      const before = writtenAt(summary);
      const signal = interruptible();
      const args = [...playwrightArguments(environments, options), ...extra];
      const asked = [wordsText(options), ...extra].join(' ').trim();
      const variables: Record<string, string> = options.seed ? { [SEED_VARIABLE]: options.seed } : {};
      const { code, isUsage, isEmpty, isKilled } = await runPlaywright(args, variables, signal);
      if (isKilled) for (const environment of loaded) warnOfLeft(environment);
      process.exitCode = isUsage ? 2 : code;
      if (isEmpty) throw new ConfigurationError(nothingMatches(environments, options, asked));
      // No new summary: no test started, and an earlier run's summary is old news.
      if (options.ui || signal.aborted || [undefined, before].includes(writtenAt(summary))) return;
      const report = relative(process.cwd(), await makeReport(process.env, signal));
      addToJobPage(`\n${reportLink(report, process.env)}\n`, page);
      process.stdout.write(`  Report ${report}\n`);
    });
}

function writtenAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function playwrightArguments(environments: readonly string[], options: TestOptions): string[] {
  const grep = grepOf(options);
  return [
    ...environments.map((name) => `--project=${name}`),
    ...(grep ? ['--grep', grep] : []),
    // A run without tests is reported here, with the options.
    '--pass-with-no-tests',
    ...(options.ui ? ['--ui'] : []),
  ];
}

/** `asked` are the options that chose the tests. */
function nothingMatches(environments: readonly string[], { tag = [] }: TestOptions, asked: string): string {
  const known = [...areaIds, ...effects, 'all', 'restorable'];
  const meant = tag.map((each) => didYouMean(each.replace(/^@/, ''), known)).join('');
  if (meant) return `No test in ${environments.join(', ')} matches ${asked}${meant}.`;
  return `No test in ${environments.join(', ')} matches ${asked}. \`npx playwright test --list\` lists the tests.`;
}

/** Reports the changes that a killed run left: the next run undoes them. */
function warnOfLeft(environment: Environment): void {
  const left = leftoversOf(environment);
  if (left.length > 0) warn(stoppedText(environment.name, left));
}
