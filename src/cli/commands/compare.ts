import { Command, Option } from 'commander';
import { type Format, formats, showDifferences } from '../../survey/index.ts';
import { differencesOf } from '../compare-sides.ts';
import { printable } from '../printable.ts';

/** `sextant compare`: the differences between two surveys, or a document and a survey, by consumer impact. */
export function compare(): Command {
  return new Command('compare')

    .argument(
      '<before>',
      'what consumers rely on: an environment, a JSON file written by survey, or an OpenAPI document',
    )
    .argument('<after>', 'what they would get instead: the same')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .action((before: string, after: string, { format }: { format: Format }) => {
      const differences = differencesOf(before, after);
      // A survey holds the words of a service.
      process.stdout.write(printable(showDifferences(differences, { before, after }, format)));
      process.exitCode = differences.some(({ impact }) => impact === 'breaking') ? 1 : 0;
    });
}
