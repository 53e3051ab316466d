import { join } from 'node:path';
import { Command, Option } from 'commander';
import { redact } from '../../client/index.ts';
import { fileRoles, replaceText } from '../../config/files/index.ts';
import { ConfigurationError, loadEnvironment } from '../../config/index.ts';
import { type ExportFormatName, exportedEnvironment, exportFormats } from '../../survey/index.ts';
import { printable } from '../output/printable.ts';

interface ExportOptions {
  readonly env: string;
  readonly format: ExportFormatName;
  readonly output?: string;
}

/** `sextant export`: the operations with an environment's data, as requests for another tool. */
export function exportRequests(): Command {
  return new Command('export')
    .addOption(new Option('--env <name>', 'environment to take addresses and data from').makeOptionMandatory())
    .addOption(
      new Option('--format <format>', 'tool to export for').choices(Object.keys(exportFormats)).makeOptionMandatory(),
    )
    .option('--output <folder>', 'write files there; http and postman are printed otherwise')
    .action(({ env, format, output }: ExportOptions) => {
      const exported = exportedEnvironment(loadEnvironment(env));
      const chosen = exportFormats[format];
      if (output !== undefined) {
        for (const [path, text] of Object.entries(chosen.files(exported))) {
          replaceText(join(output, path), redact(text), fileRoles.exported);
          process.stdout.write(`${printable(join(output, path))}\n`);
        }
      } else if ('printed' in chosen) process.stdout.write(printable(chosen.printed(exported)));
      else throw new ConfigurationError(`${format} needs a folder to write to: add --output FOLDER.`);
    });
}
