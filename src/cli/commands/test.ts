import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError, didYouMean, EMBEDDED, type Environment } from '../../environment/index.ts';
import {
  addToJobPage,
  closingMarkdown,
  LEFT_OUT_VARIABLE,
  OTHER_REPORTERS_VARIABLE,
  readOutcomes,
  reportLink,
  SELECTION_VARIABLE,
  TESTED_VARIABLE,
} from '../../playwright/index.ts';
import { redactJson } from '../../redaction/index.ts';
import { allScenarios, outcomeOf, runScenario, type TestOutcome } from '../../run/index.ts';
import { assertDivisible, consentTo, leftoversOf, stoppedText } from '../../safety/index.ts';
import { assertOutputFolder, outputFiles, SEED_VARIABLE } from '../../scenario/index.ts';
import { areaIds, effects } from '../../service/index.ts';
import { checkedQuarantine, environmentOption, loadEnvironments } from '../choosing/choose.ts';
import { grepOf, type Words, withWords, wordsText } from '../choosing/selection-options.ts';
import { namedCauseLines, redsOf } from '../output/likely-cause-lines.ts';
import { interruptible, warn } from '../output/terminal.ts';
import { makeReport } from '../playwright/allure-report.ts';
import { assertBrowser, assertModules, otherReportersIn, runPlaywright } from '../playwright/playwright-run.ts';

interface TestOptions extends Words {
  readonly env: readonly string[];
  readonly seed?: string;
  readonly shard?: string;
  readonly ui?: boolean;
  readonly yes?: boolean;
}

/** `sextant test`: the suite under Playwright Test, then the Allure report. */
export function test(): Command {
  return withWords(new Command('test'), 'tests')
    .addOption(environmentOption('test').default([], EMBEDDED))
    .option('--seed <seed>', 'use the same data as the run that printed this seed')
    .addOption(
      new Option('--shard <i/n>', 'only one of n parts, e.g. 2/4; `sextant report --merge` joins their results')
        .argParser(shard)
        .conflicts('ui'),
    )
    .option('--ui', "open Playwright's UI mode")
    .option('--yes', 'consent to what a first run against an environment may do')
    .argument('[playwright...]', 'options for Playwright, after --, e.g. -- --last-failed --retries 2')
    .action(async (extra: readonly string[], { yes = false, ...options }: TestOptions) => {
      const loaded = loadEnvironments(options.env);
      const environments = loaded.map(({ name }) => name);
      if (options.shard) assertDivisible(loaded);
      assertModules();
      await checkedQuarantine();
      for (const environment of loaded) await consentTo(environment, { yes });
      if (options.ui) await assertBrowser(extra);
      const { summary } = outputFiles();
      assertOutputFolder();
      const before = writtenAt(summary);
      const signal = interruptible();
      const { shard } = options;
      const { reporters, rest } = otherReportersIn(extra);
      const args = [...playwrightArguments(environments, options), ...rest];
      const asked = [wordsText(options), ...extra].join(' ').trim();
      const variables = {
        ...variablesOf(environments, options, asked),
        [OTHER_REPORTERS_VARIABLE]: reporters.join(','),
        [LEFT_OUT_VARIABLE]: JSON.stringify(options.ui ? [] : await notLoaded(loaded)),
      };
      const { code, isUsage, isEmpty, isKilled } = await runPlaywright(args, variables, signal);
      if (isKilled) for (const environment of loaded) warnOfLeft(environment);
      process.exitCode = isUsage ? 2 : code;
      // The report is made of all shards.
      if (shard) return;
      if (isEmpty) throw new ConfigurationError(nothingMatches(environments, options, asked));
      // No new summary: no test started, and an earlier run's summary is old news.
      if (options.ui || signal.aborted || [undefined, before].includes(writtenAt(summary))) return;
      // Next to another reporter, standard output may be its document.
      await conclude(loaded, signal, reporters.length > 0 ? process.stderr : process.stdout);
    });
}

/** Adds to what the reporters said: likely causes, and the report. */
async function conclude(
  environments: readonly Environment[],
  signal: AbortSignal,
  to: NodeJS.WriteStream,
): Promise<void> {
  const { outcomes, page } = outputFiles();
  const causes = await namedCauseLines(
    redsOf(readOutcomes(outcomes), (name) => environments.find((each) => each.name === name)?.facts),
    signal,
  );
  for (const cause of causes) to.write(`  ${cause}\n`);
  const report = relative(process.cwd(), await makeReport(process.env, causes, signal));
  addToJobPage(closingMarkdown(causes, reportLink(report, process.env)), page);
  to.write(`  Report ${report}\n`);
}

/** The outcomes of the spec files that don't load, as `check` has them: Playwright would start nothing for them. */
async function notLoaded(environments: readonly Environment[]): Promise<TestOutcome[]> {
  const files = (await allScenarios()).filter(({ keepsFileOut }) => keepsFileOut);
  const outcomes: TestOutcome[] = [];
  for (const environment of environments)
    for (const scenario of files) {
      const result = await runScenario(scenario, { environment, seed: '', runId: randomUUID() });
      outcomes.push(outcomeOf(environment.name, result, [result.reason ?? '']));
    }
  return redactJson(outcomes);
}

function writtenAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** The process environment of the run. The reporter keeps what a merge must compare: a shard may have no test of an environment. */
function variablesOf(names: readonly string[], { seed, shard }: TestOptions, asked: string): Record<string, string> {
  return {
    ...(shard ? { [TESTED_VARIABLE]: names.join(','), [SELECTION_VARIABLE]: asked } : {}),
    ...(seed ? { [SEED_VARIABLE]: seed } : {}),
  };
}

function playwrightArguments(environments: readonly string[], options: TestOptions): string[] {
  const grep = grepOf(options);
  return [
    ...environments.map((name) => `--project=${name}`),
    ...(grep ? ['--grep', grep] : []),
    // A run without tests is reported here, with the options.
    '--pass-with-no-tests',
    ...(options.shard ? [`--shard=${options.shard}`] : []),
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

/** `2/4`, as Playwright reads it. */
function shard(text: string): string {
  const [, current, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (Number(current) >= 1 && Number(current) <= Number(total)) return text;
  throw new InvalidArgumentError('Expected a part and their number, e.g. 2/4.');
}

/** Reports the changes that a killed run left: the next run undoes them. */
function warnOfLeft(environment: Environment): void {
  const left = leftoversOf(environment);
  if (left.length > 0) warn(stoppedText(environment.name, left));
}
