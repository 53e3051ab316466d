import { basename } from 'node:path';
import { Command } from 'commander';
import { fileRoles, readText } from '../../config/files/index.ts';
import {
  ConfigurationError,
  environmentNames,
  importVariables,
  loadEnvironment,
  writeEnvironment,
} from '../../config/index.ts';
import { withService } from '../embedded-service.ts';
import { describeDryRun } from '../environments/describe-dry-run.ts';
import { describePing, pingAll } from '../environments/ping.ts';
import { printable } from '../printable.ts';

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
    .description('create an environment from a Postman export or a file of KEY=value lines')
    .argument('<file>', 'file to import')
    .option('--name <name>', 'name of the environment (default: the name in the file, or of the file)')
    .option('--force', 'replace an existing environment')
    .action(importFile);
  return command;
}

async function check(name: string, { ping = false }: { ping?: boolean }): Promise<void> {
  const environment = loadEnvironment(name);
  // Loaded only here: it runs the scenarios on the reference service.
  const { dryRun } = await import('../environments/dry-run.ts');
  say(describeDryRun(environment, await dryRun(environment)));
  if (!ping) return;
  const pings = await withService(environment, pingAll);
  say(['', ...pings.map((each) => describePing(each, Date.now()))].join('\n'));
  if (pings.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
}

function importFile(file: string, { name, force = false }: { name?: string; force?: boolean }): void {
  const imported = importVariables(readText(file, fileRoles.imported), file);
  const chosen = name ?? slug(imported.name ?? basename(file).replace(/(\.postman_environment)?\.\w+$/, ''));
  const written = writeEnvironment(chosen, imported, { from: basename(file), force });
  say(`Environment ${chosen}: wrote ${written.join(' and ')}.`);
  for (const line of imported.ignored) say(`  left out: ${line}`);
  try {
    loadEnvironment(chosen);
    say(`It is ready to use: npx sextant environments check ${chosen}`);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    say(`It is not complete yet:\n${error.message}`);
  }
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
    return `${[...allowedEffects].join(',')}  ${addresses.friends.origin} …`;
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? '';
  }
}

function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}
