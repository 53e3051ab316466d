import { Command, Option } from 'commander';
import { ConfigurationError, environmentNames } from '../../config/index.ts';
import {
  compareSurveys,
  type Format,
  formats,
  keptSurvey,
  type Learned,
  readSurvey,
  showDifferences,
} from '../../survey/index.ts';
import { printable } from '../output/terminal.ts';

/** `sextant compare`: the differences between two surveys, by consumer impact. */
export function compare(): Command {
  return new Command('compare')
    .argument('<before>', 'what consumers rely on: an environment, or a JSON file written by survey')
    .argument('<after>', 'what they would get instead: the same')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .action((before: string, after: string, { format }: { format: Format }) => {
      const differences = compareSurveys(surveyOf(before), surveyOf(after));
      // A survey holds the words of a service.
      process.stdout.write(printable(showDifferences(differences, { before, after }, format)));
      process.exitCode = differences.some(({ impact }) => impact === 'breaking') ? 1 : 0;
    });
}

function surveyOf(name: string): Learned {
  if (name.endsWith('.json')) return readSurvey(name);
  const kept = keptSurvey(name);
  if (kept) return kept;
  const isKnown = environmentNames().includes(name);
  throw new ConfigurationError(
    isKnown
      ? `There is no survey of ${name} yet. Run \`npx sextant survey --env ${name}\`.`
      : `There is no environment "${name}" and no survey of it. Environments: ${environmentNames().join(', ') || 'none'}.`,
  );
}
