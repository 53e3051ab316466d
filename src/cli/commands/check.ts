import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import type { Environment } from '../../config/index.ts';
import { exitCode, overallVerdict, runAll, type Scenario, type ScenarioResult, scenarios } from '../../runner/index.ts';
import { consentTo, type Finding, findingLines, findingsOf, runSeed, takeBackLeftovers } from '../../scenario/index.ts';
import { CheckConsole } from '../check/console.ts';
import { checkDocument } from '../check/json-document.ts';
import { chooseScenarios } from '../choose-scenarios.ts';
import { withService } from '../embedded-service.ts';
import { interruptible } from '../interrupt.ts';
import { likelyCauseLines, redsOfCheck } from '../likely-cause.ts';
import { loadEnvironments } from '../load-environments.ts';
import { printable } from '../printable.ts';

interface CheckOptions {
  readonly env: readonly string[];
  readonly scenario?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** One environment's run. */
interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  /** What it found out of what the specification leaves open. */
  readonly findings: readonly Finding[];
}

/** `sextant check`: every allowed scenario once, in-process. */
export function check(): Command {
  return new Command('check')
    .description('run every allowed scenario once, in-process, and give a verdict')
    .addOption(
      new Option('--env <name>', 'the environment; given twice, both are checked at once')
        .argParser((name: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), name])
        .makeOptionMandatory(),
    )
    .option('--scenario <glob>', 'only scenarios whose title matches, e.g. "*profile*"')
    .option('--json', 'print one JSON document; with several environments, an array of them')
    .option('--yes', 'agree to what a first run against an environment is allowed to do')
    .action(async ({ env, scenario, json, yes = false }: CheckOptions) => {
      const environments = loadEnvironments(env);
      for (const environment of environments) await consentTo(environment, { yes });
      const chosen = chooseScenarios(await scenarios(), scenario);
      const all = json ? await checkAll(environments, chosen) : await checkAloud(environments, chosen);
      if (json) printDocuments(all);
      process.exitCode = exitCode(overallVerdict(all.flatMap(({ results }) => results.map(({ verdict }) => verdict))));
    });
}

async function checkAloud(environments: readonly Environment[], chosen: readonly Scenario[]): Promise<Checked[]> {
  const names = environments.map(({ name }) => name);
  const told = new CheckConsole(names, names.length * chosen.length);
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

/** Environments side by side; they share nothing but the process. */
function checkAll(environments: readonly Environment[], chosen: readonly Scenario[], told?: CheckConsole) {
  const signal = interruptible();
  return Promise.all(
    environments.map(async (environment): Promise<Checked> => {
      const { name } = environment;
      const startedAt = Date.now();
      const runId = randomUUID();
      const results = await withService(environment, async () => {
        await takeBackLeftovers(environment, signal);
        return runAll(chosen, {
          environment,
          seed: runSeed(),
          runId,
          signal,
          onStart: (title) => told?.started(title),
          onResult: (result) => told?.ended(name, result),
        });
      });
      return { environment: name, startedAt, endedAt: Date.now(), results, findings: findingsOf(runId, name) };
    }),
  );
}

function printDocuments(all: readonly Checked[]): void {
  const documents = all.map(({ environment, startedAt, endedAt, results, findings }) =>
    checkDocument(environment, startedAt, endedAt, results, findings),
  );
  const shown = documents.length === 1 ? documents[0] : documents;
  process.stdout.write(`${printable(JSON.stringify(shown, null, 2))}\n`);
}
