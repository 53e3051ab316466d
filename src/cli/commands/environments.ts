import { basename } from 'node:path';
import { Command } from 'commander';
import { importAll, parseMapping } from '../../config/import/index.ts';
import { ConfigurationError, environmentNames, loadEnvironment, writeEnvironment } from '../../config/index.ts';
import { firstArea } from '../../spec/index.ts';
import { pingAll } from '../connect/connection-test/ping.ts';
import { describeDryRun } from '../connect/dry-run/describe-dry-run.ts';
import { printable } from '../printable.ts';
import { withService } from '../serving/embedded-service.ts';

/** `sextant environments`: lists, checks and imports environments. */
export function environments(): Command {
  const command = new Command('environments').exitOverride();
  command
    .command('list')
    .description('list each environment with its allowed effects, or with its problems')
    .action(() => {
      for (const name of environmentNames()) say(`${name.padEnd(14)}${summary(name)}`);
    });
  command
    .command('check')
    .description('list what each scenario would send there, without sending it')
    .argument('<name>', 'environment to check')
    .option('--ping', 'also check that each base address responds, without credentials')
    .action(check);
  command
    .command('import')
    .description('create an environment from a Postman or Bruno export, an OpenAPI document, a .env or a curl command')
    .argument(
      '<file...>',
      'files, folders of Bruno collections, or curl commands to import: an environment and a collection together',
    )
    .option('--name <name>', 'name of the environment (default: the name in the file, or of the file)')
    .option('--map <theirs=OURS>', 'take a variable of another name; repeat for several', append)
    .option('--force', 'replace an existing environment')
    .action(importFile);
  command
    .command('new')
    .description('ask for what an environment needs, write it, and try it by reading alone')
    .argument('[name]', 'name of the environment')
    .option('--from <source>', 'take values from a file or a curl command first; repeat for several', append)
    .option('--map <theirs=OURS>', 'take a variable of another name; repeat for several', append)
    .option('--force', 'change an existing environment without asking')
    .action(create);
  return command;
}

async function check(name: string, { ping = false }: { ping?: boolean }): Promise<void> {
  const environment = loadEnvironment(name);
  // Loaded only here: it runs the scenarios on the reference service.
  const { dryRun } = await import('../connect/dry-run/dry-run.ts');
  say(describeDryRun(environment, await dryRun(environment)));
  if (!ping) return;
  const [{ addressDiagnoses }, { doctorExitCode, reportText }] = await Promise.all([
    import('../connect/doctor/examine-environment.ts'),
    import('../connect/doctor/diagnosis.ts'),
  ]);
  const diagnoses = addressDiagnoses(environment, await withService(environment, (at) => pingAll(at)));
  say(`\n${reportText([{ of: name, diagnoses }])}`);
  process.exitCode = doctorExitCode(diagnoses);
}

interface CreateOptions {
  readonly from?: readonly string[];
  readonly map?: readonly string[];
  readonly force?: boolean;
}

async function create(name: string | undefined, { map = [], from = [], force = false }: CreateOptions): Promise<void> {
  // Loaded only here: other commands ask nothing.
  const { newEnvironment } = await import('../connect/guided/new-environment.ts');
  process.exitCode = await newEnvironment(name, { from, map: parseMapping(map), force });
}

/** What could be taken was written, and more is needed. */
const INCOMPLETE = 1;

interface ImportOptions {
  readonly name?: string;
  readonly map?: readonly string[];
  readonly force?: boolean;
}

function importFile(files: readonly string[], { name, map = [], force = false }: ImportOptions): void {
  const imported = importAll(files, parseMapping(map));
  const origins = files.map((file) => basename(file));
  const chosen = name ?? slug(imported.name ?? (origins[0] ?? '').replace(/(\.postman_environment)?\.\w+$/, ''));
  const written = writeEnvironment(chosen, imported, { origin: `Imported from ${origins.join(', ')}.`, force });
  say(`Environment ${chosen}: wrote ${written.join(' and ')}.`);
  for (const line of imported.ignored) say(`  left out: ${line}`);
  try {
    loadEnvironment(chosen);
    say(`It is ready to use: npx sextant environments check ${chosen}`);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    say(`It is not complete yet:\n${error.message}`);
    process.exitCode = INCOMPLETE;
  }
}

function append(word: string, earlier: readonly string[] = []): string[] {
  return [...earlier, word];
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

function summary(name: string): string {
  try {
    const { allowedEffects, addresses } = loadEnvironment(name);
    return `${[...allowedEffects].join(',')}  ${addresses[firstArea].origin} …`;
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? '';
  }
}

function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}
