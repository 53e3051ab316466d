import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { assertWritableFile, fileRoles, replaceText } from '../../environment/files/index.ts';
import { duration, type Environment } from '../../environment/index.ts';
import { startSpans } from '../../http/index.ts';
import { addToJobPage, annotationsOf, junitXml } from '../../playwright/index.ts';
import { redact, withoutCommands, writeCommands } from '../../redaction/index.ts';
import { exitCode, scenarios, usedUpOnce } from '../../run/index.ts';
import { consentTo } from '../../safety/index.ts';
import { askedLines, runSeed } from '../../scenario/index.ts';
import { type CheckRun, checkEnvironments, playedIn, timeLimit } from '../check/check-environments.ts';
import { CheckConsole, contractLines } from '../check/console.ts';
import { failedLast, keepEvidence } from '../check/evidence-page.ts';
import { type Checked, checkDocument, checkPage, reportOfChecks, verdictOf } from '../check/outputs.ts';
import { environmentOption, loadEnvironments, setOption } from '../choosing/choose-environments.ts';
import {
  checkedQuarantine,
  chooseScenarios,
  KEEP_ITEMS,
  KEEP_ITEMS_HELP,
  type ScenarioChoice,
} from '../choosing/choose-scenarios.ts';
import { checked, withWords } from '../choosing/selection-options.ts';
import { interruptible, sayDocuments, warn } from '../output/terminal.ts';

interface CheckOptions extends ScenarioChoice {
  readonly env: readonly string[];
  readonly set: readonly string[];
  readonly json?: boolean;
  readonly junit?: string;
  readonly summary?: string;
  readonly deadline?: number;
  readonly lastFailed?: boolean;
  readonly yes?: boolean;
}

/** `sextant check`: runs every allowed scenario once, in this process. */
export function check(): Command {
  return withWords(new Command('check'), 'scenarios')
    .addOption(environmentOption('check').makeOptionMandatory())
    .addOption(setOption())
    .option('--scenario <glob>', 'only scenarios whose title matches, e.g. "*profile*"')
    .option('--last-failed', 'only what failed in the last check of these environments')
    .option(KEEP_ITEMS, KEEP_ITEMS_HELP)
    .option('--json', 'print one JSON document; with several environments, an array of them')
    .option('--junit <file>', 'also write a JUnit file, with a suite for each environment')
    .option('--summary <file>', 'also write a page in Markdown: a table by area, and each failure')
    .option('--deadline <time>', 'end in this time, clean-up included, e.g. 50s', checked(duration('1s', '1h')))
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async ({ env, set, json, junit, summary, deadline, lastFailed, yes = false, ...choice }: CheckOptions) => {
      const environments = loadEnvironments(env, set);
      const quarantine = await checkedQuarantine();
      const learned = environments.some(({ facts }) => facts) ? await scenarios('facts') : [];
      const there = [...(await scenarios()), ...learned];
      const fitting = chooseScenarios(there, choice);
      const names = environments.map(({ name }) => name);
      const chosen = lastFailed ? failedLast(fitting, names) : fitting;
      for (const environment of environments)
        await consentTo(environment, { yes, usesUp: usedUpOnce(environment, chosen) });
      await using _spans = await startSpans(warn);
      // The files are written only after the run, so a path that can't be written is reported now, before the run takes time.
      if (junit) assertWritableFile(junit, fileRoles.written);
      if (summary) assertWritableFile(summary, fileRoles.written);
      // The deadline counts from the start of this process, not from here, so pass the time that the process has already run.
      const limit = timeLimit(deadline, performance.now(), interruptible());
      const run = { chosen, seed: runSeed(), limit, quarantine };
      const all = json ? await checkEnvironments(environments, run) : await checkAloud(environments, run);
      if (json) sayDocuments(all.map(checkDocument));
      const startedAt = new Date(Math.min(...all.map((each) => each.startedAt)));
      if (junit) replaceText(junit, redact(junitXml(reportOfChecks(all), startedAt)), fileRoles.written);
      writePage(all, run.seed, summary);
      const evidence = keepEvidence(all);
      if (evidence) warn(`Each exchange of what failed: ${pathToFileURL(evidence).href}`);
      process.exitCode = exitCode(
        verdictOf({
          results: all.flatMap(({ results }) => results),
          unproven: all.flatMap(({ unproven }) => unproven),
        }),
      );
    });
}

/**
 * Writes the page of a run, in Markdown, to the file of `--summary` and to the summary of a GitHub job. On GitHub, also prints annotations.
 */
function writePage(all: readonly Checked[], seed: string, file: string | undefined): void {
  // Annotations go to stderr, because stdout may be a JSON document; GitHub reads both.
  if (process.env.GITHUB_ACTIONS) writeCommands(annotationsOf(reportOfChecks(all)), process.stderr);
  if (!file && !process.env.GITHUB_STEP_SUMMARY) return;
  const page = checkPage(all, seed);
  if (file) replaceText(file, redact(withoutCommands(page)), fileRoles.written);
  addToJobPage(page, undefined);
}

async function checkAloud(environments: readonly Environment[], run: CheckRun): Promise<Checked[]> {
  const total = environments.flatMap((each) => playedIn(each, run.chosen)).length;
  const checkConsole = new CheckConsole(total);
  try {
    const all = await checkEnvironments(environments, { ...run, checkConsole });
    for (const checked of all) {
      const { environment, asked, rate, contract, remarks } = checked;
      checkConsole.summary(checked);
      const open = [...askedLines(environment, asked, rate), ...contractLines(environment, contract)];
      checkConsole.lines([...remarks, ...open]);
    }
    return all;
  } finally {
    checkConsole.end();
  }
}
