import { Command, Option } from 'commander';
import { fileRoles, isThere } from '../../environment/files/index.ts';
import {
  ConfigurationError,
  environmentFiles,
  environmentNames,
  factsIn,
  observedFolder,
  readObserved,
  unknownEnvironment,
} from '../../environment/index.ts';
import { Facts } from '../../facts/index.ts';
import { compareSurveys, type Format, formats, type Learned, showDifferences } from '../../survey/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { printable } from '../output/terminal.ts';

/**
 * `sextant compare`: shows how the facts and observed responses of two environments differ, sorted by how much a difference affects
 * consumers.
 */
export function compare(): Command {
  return new Command('compare')
    .argument('<before>', 'what consumers rely on: an environment, or a file of facts')
    .argument('<after>', 'what they would get instead: an environment, or a file of facts')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .action((before: string, after: string, { format }: { format: Format }) => {
      const differences = compareSurveys(learnedOf(before), learnedOf(after));
      // Facts contain text of the service, so escape control characters, which a terminal would obey.
      process.stdout.write(printable(showDifferences(differences, { before, after }, format)));
      process.exitCode = differences.some(({ impact }) => impact === 'breaking') ? exitCodes.fellShort : exitCodes.held;
    });
}

function learnedOf(name: string): Learned {
  if (name.endsWith('.json')) return { facts: factsIn(name), answers: [] };
  if (!environmentNames().includes(name)) throw unknownEnvironment(name);
  const { facts: path } = environmentFiles(name);
  const facts = isThere(path, fileRoles.facts) ? factsIn(path) : new Facts();
  const answers = [...readObserved(observedFolder(name)).values()];
  if (facts.size + answers.length === 0)
    throw new ConfigurationError(`Nothing is known of ${name} yet. Run \`npx sextant survey --env ${name}\`.`);
  return { facts, answers };
}
