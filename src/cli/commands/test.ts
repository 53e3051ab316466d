import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command } from 'commander';
import { ConfigurationError, EMBEDDED } from '../../config/index.ts';
import { assertOutputFolder, consentTo, outputFiles, SEED_VARIABLE } from '../../scenario/index.ts';
import { makeReport } from '../allure-report.ts';
import { chooseEnvironments } from '../choosing/choose-environments.ts';
import { environmentOption } from '../choosing/environment-option.ts';
import { grepOf, type Words, withWords, wordsText } from '../choosing/words.ts';
import { interruptible } from '../interrupt.ts';
import { likelyCauseLines, redsOf } from '../likely-cause-lines.ts';
import { loadEnvironments } from '../load-environments.ts';
import { runPlaywright } from '../playwright-run.ts';

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
    .argument('[playwright...]', 'options for Playwright, after --')
    .action(async (extra: readonly string[], { yes = false, ...options }: TestOptions) => {
      const environments = chooseEnvironments(options.env.length > 0 ? options.env : [EMBEDDED]);
      for (const environment of loadEnvironments(environments)) await consentTo(environment, { yes });
      const { summary } = outputFiles();
      assertOutputFolder();
      const before = writtenAt(summary);
      const signal = interruptible();
      const args = [...playwrightArguments(environments, options), ...extra];
      const seed: Record<string, string> = options.seed ? { [SEED_VARIABLE]: options.seed } : {};
      const { code, isUsage, isEmpty } = await runPlaywright(args, seed, signal);
      process.exitCode = isUsage ? 2 : code;
      if (isEmpty) throw new ConfigurationError(nothingMatches(environments, options, extra));
      // No new summary: no test started, and an earlier run's summary is old news.
      if (options.ui || signal.aborted || [undefined, before].includes(writtenAt(summary))) return;
      for (const reds of redsOf(outputFiles().outcomes))
        for (const line of await likelyCauseLines(reds, signal))
          process.stdout.write(`  ${reds.environment}: ${line}\n`);
      const page = await makeReport();
      process.stdout.write(`  Report ${relative(process.cwd(), page)}\n`);
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

function nothingMatches(environments: readonly string[], options: TestOptions, extra: readonly string[]): string {
  const asked = [wordsText(options), ...extra].join(' ').trim();
  return `No test in ${environments.join(', ')} matches ${asked}. \`npx playwright test --list\` lists the tests.`;
}
