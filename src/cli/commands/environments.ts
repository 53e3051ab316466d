import { basename } from 'node:path';
import { Command } from 'commander';
import { shown } from '../../environment/files/file-trouble.ts';
import { fileRoles, isThere } from '../../environment/files/index.ts';
import {
  attempt,
  ConfigurationError,
  type Environment,
  environmentFiles,
  environmentNames,
  factsIn,
  loadEnvironment,
  misnamedFiles,
  writeFacts,
} from '../../environment/index.ts';
import { Facts } from '../../facts/index.ts';
import { firstArea } from '../../service/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { append, slug } from '../choosing/selection-options.ts';
import { interruptible, say } from '../output/terminal.ts';

export function environments(): Command {
  const command = new Command('environments').exitOverride();
  command
    .command('list')
    .description('list each environment with its allowed effects, or with its problems')
    .action(list);
  command
    .command('check')
    .description('list what each scenario would send there, without sending it')
    .argument('<name>', 'environment to check')
    .action(check);
  command
    .command('import')
    .description('create an environment from a Postman export, an OpenAPI document, a .env or a curl command')
    .argument('<file...>', 'files or curl commands to import: an environment and a collection together')
    .option('--name <name>', 'name of the environment (default: the name in the file, or of the file)')
    .option(
      '--map <theirs=OURS>',
      'use a variable that has another name there, e.g. HOST=STORY_URL; repeat for several',
      append,
    )
    .option('--force', 'replace an existing environment')
    .action(importFile);
  command
    .command('new')
    .description('ask for what an environment needs, write it, and try it with reads only')
    .argument('<name>', 'name of the environment: letters, digits and hyphens')
    .option('--from <source>', 'take values from a file or a curl command first; repeat for several', append)
    .option(
      '--map <theirs=OURS>',
      'use a variable that has another name there, e.g. HOST=STORY_URL; repeat for several',
      append,
    )
    .option('--force', 'replace an existing environment')
    .action(async (name: string, { map = [], from = [], force = false }: SourceOptions) => {
      // Loaded only here, because the other sub-commands of `environments` don't ask the user anything.
      const { parseMapping } = await import('../import/index.ts');
      const { newEnvironment } = await import('../connect/guided/new-environment.ts');
      const { surveyEach } = await import('./survey.ts');
      const survey = (environment: Environment) => surveyEach([environment]);
      process.exitCode = await newEnvironment(name, { from, map: parseMapping(map), force, survey });
    });
  return command;
}

/** Lists the environments. Exit code 2 if one of them can't be used. */
function list(): void {
  for (const name of environmentNames()) {
    const loaded = attempt(() => loadEnvironment(name));
    const isBroken = loaded instanceof ConfigurationError;
    if (isBroken) process.exitCode = exitCodes.usage;
    const problems = () => `${(loaded as Error).message}\n  → npx sextant doctor --env ${name}`;
    say(`${name.padEnd(14)}${isBroken ? problems() : summary(loaded)}`);
  }
  for (const file of misnamedFiles())
    say(
      `ignored: ${file}: the name of an environment’s file is NAME.env, with up to 64 letters, digits and hyphens; rename the file, ${exampleName(file)}`,
    );
}

function exampleName(file: string): string {
  const isSecret = /\.secret\.env/i.test(file);
  return `e.g. ${slug(file.replace(/(\.secret)?\.env(\.txt)?$/i, '')).slice(0, 64) || 'staging'}${isSecret ? '.secret' : ''}.env`;
}

async function check(name: string): Promise<void> {
  const environment = loadEnvironment(name);
  // Loaded only here, because a dry run loads the reference service, and runs the scenarios on it.
  const { describeDryRun, dryRun } = await import('../../drill/index.ts');
  const { contractLines } = await import('../check/console.ts');
  const signal = interruptible();
  const calls = await dryRun(environment, signal);
  if (signal.aborted) process.exitCode = exitCodes.interrupted;
  else say([describeDryRun(environment, calls), ...contractLines(name, environment.contract)].join('\n'));
  for (const warning of environment.warnings ?? []) say(`Warning: ${warning}`);
}

interface SourceOptions {
  readonly name?: string;
  readonly from?: readonly string[];
  readonly map?: readonly string[];
  readonly force?: boolean;
}

async function importFile(files: readonly string[], { name, map = [], force = false }: SourceOptions): Promise<void> {
  const { importAll, parseMapping } = await import('../import/index.ts');
  const { writeEnvironment } = await import('../../environment/write-environment.ts');
  const imported = importAll(files, parseMapping(map));
  const origins = files.map((file) => basename(file));
  const chosen = name ?? slug(imported.name ?? (origins[0] ?? '').replace(/(\.postman_environment)?\.\w+$/, ''));
  if (chosen === '') throw new ConfigurationError(`${origins[0]} names no environment. Choose a name: --name NAME.`);
  const written = writeEnvironment(chosen, imported, { origin: `Imported from ${origins.join(', ')}.`, force });
  say(`Environment ${chosen}: wrote ${[...written, ...addFacts(chosen, imported.facts)].join(' and ')}.`);
  for (const line of imported.ignored) say(`  left out: ${line}`);
  const loaded = attempt(() => loadEnvironment(chosen));
  const isComplete = !(loaded instanceof ConfigurationError);
  say(
    isComplete
      ? `It is ready to use: npx sextant environments check ${chosen}`
      : `It is not complete yet:\n${loaded.message}`,
  );
  const { unknown } = imported;
  if (!isComplete && unknown !== undefined)
    say(`--map THEIRS=OURS uses a variable that has another name, with --force: --map '${unknown}=FRIEND_URL'`);
  // The environment was written, but it doesn't load yet: the user has to add or correct the keys that the message above lists.
  if (!isComplete) process.exitCode = exitCodes.fellShort;
}

/**
 * Adds facts to the environment's file of facts. Sextant's first version kept these facts as keys of the environment. A fact that the file
 * already has takes precedence.
 */
function addFacts(name: string, facts: Facts): string[] {
  if (facts.size === 0) return [];
  const { surveyedFacts: path } = environmentFiles(name);
  const known = isThere(path, fileRoles.facts) ? factsIn(path) : new Facts();
  writeFacts(path, facts.with(known));
  return [shown(path)];
}

function summary({ allowedEffects, addresses }: Environment): string {
  return `${[...allowedEffects].join(',')}  ${addresses[firstArea].origin} …`;
}
