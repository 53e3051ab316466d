import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { Command } from 'commander';
import { redact } from '../../client/index.ts';
import { assertWritableFile, fileRoles, replaceText } from '../../config/files/index.ts';
import type { Environment } from '../../config/index.ts';
import { junitXml } from '../../reporting/junit.ts';
import { exitCode, overallVerdict, runAll, type Scenario, type ScenarioResult, scenarios } from '../../runner/index.ts';
import {
  consentTo,
  type Finding,
  findingLines,
  findingsOf,
  runSeed,
  takeRunLock,
  undoAndReportLeftovers,
} from '../../scenario/index.ts';
import { atMost } from '../at-most.ts';
import { CheckConsole } from '../check/console.ts';
import { checkDocument } from '../check/json-document.ts';
import { junitCases } from '../check/junit-cases.ts';
import { chooseEnvironments } from '../choosing/choose-environments.ts';
import { chooseScenarios, type ScenarioChoice } from '../choosing/choose-scenarios.ts';
import { environmentOption } from '../choosing/environment-option.ts';
import { withWords } from '../choosing/words.ts';
import { withService } from '../embedded-service.ts';
import { interruptible } from '../interrupt.ts';
import { likelyCauseLines, redsOfCheck } from '../likely-cause-lines.ts';
import { loadEnvironments } from '../load-environments.ts';
import { printable } from '../printable.ts';

interface CheckOptions extends ScenarioChoice {
  readonly env: readonly string[];
  readonly json?: boolean;
  readonly junit?: string;
  readonly yes?: boolean;
}

const ENVIRONMENTS_AT_ONCE = 10;

/** One environment's run. */
interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  /** The readings that it found where the specification is silent. */
  readonly findings: readonly Finding[];
}

/** `sextant check`: every allowed scenario once, in-process. */
export function check(): Command {
  return withWords(new Command('check'), 'scenarios')
    .addOption(environmentOption('check').makeOptionMandatory())
    .option('--scenario <glob>', 'only scenarios whose title matches, e.g. "*profile*"')
    .option('--json', 'print one JSON document; with several environments, an array of them')
    .option('--junit <file>', 'also write a JUnit file, with a suite for each environment')
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async ({ env, json, junit, yes = false, ...choice }: CheckOptions) => {
      const environments = loadEnvironments(chooseEnvironments(env));
      for (const environment of environments) await consentTo(environment, { yes });
      // It is written at the end, and nothing of a run may be lost for that.
      if (junit) assertWritableFile(junit, fileRoles.junit);
      const learned = environments.some(({ facts }) => facts) ? await scenarios('facts') : [];
      const chosen = chooseScenarios([...(await scenarios()), ...learned], choice);
      const all = json ? await checkAll(environments, chosen) : await checkAloud(environments, chosen);
      if (json) printDocuments(all);
      if (junit) writeJunit(junit, all);
      process.exitCode = exitCode(overallVerdict(all.flatMap(({ results }) => results.map(({ verdict }) => verdict))));
    });
}

function writeJunit(file: string, all: readonly Checked[]): void {
  const startedAt = new Date(Math.min(...all.map((each) => each.startedAt)));
  const cases = all.flatMap(({ environment, results }) => junitCases(environment, results));
  replaceText(file, redact(junitXml(cases, startedAt)), fileRoles.junit);
}

async function checkAloud(environments: readonly Environment[], chosen: readonly Scenario[]): Promise<Checked[]> {
  const names = environments.map(({ name }) => name);
  const told = new CheckConsole(
    names,
    environments.reduce((sum, each) => sum + playedIn(each, chosen).length, 0),
  );
  try {
    const all = await checkAll(environments, chosen, told);
    for (const { environment, endedAt, results, findings } of all) {
      told.summary(environment, results, endedAt);
      told.lines(findingLines(environment, findings));
      told.lines(await likelyCauseLines(redsOfCheck(environment, results)));
    }
    return all;
  } finally {
    told.end();
  }
}

/** Facts of a survey are checked if there is one. */
function playedIn({ facts }: Environment, chosen: readonly Scenario[]): readonly Scenario[] {
  return facts ? chosen : chosen.filter(({ file }) => basename(dirname(file)) !== 'facts');
}

/** Checks environments side by side, which share only the process: with more at once, its own work would count as slowness. */
function checkAll(environments: readonly Environment[], chosen: readonly Scenario[], told?: CheckConsole) {
  const signal = interruptible();
  return atMost(ENVIRONMENTS_AT_ONCE, environments, async (environment): Promise<Checked> => {
    const { name } = environment;
    const release = await takeRunLock(environment, { signal, say: (line) => process.stderr.write(`${line}\n`) });
    const startedAt = Date.now();
    const runId = randomUUID();
    const results = await withService(environment, async () => {
      await undoAndReportLeftovers(environment, signal);
      return runAll(playedIn(environment, chosen), {
        environment,
        seed: runSeed(),
        runId,
        signal,
        onStart: (title) => told?.started(title),
        onResult: (result) => told?.ended(name, result),
      });
    }).finally(release);
    return { environment: name, startedAt, endedAt: Date.now(), results, findings: findingsOf(runId, name) };
  });
}

function printDocuments(all: readonly Checked[]): void {
  const documents = all.map(({ environment, startedAt, endedAt, results, findings }) =>
    checkDocument(environment, startedAt, endedAt, results, findings),
  );
  const shown = documents.length === 1 ? documents[0] : documents;
  process.stdout.write(`${printable(JSON.stringify(shown, null, 2))}\n`);
}
