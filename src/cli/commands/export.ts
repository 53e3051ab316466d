import { join } from 'node:path';
import { Command, Option } from 'commander';
import { fileRoles, replaceText } from '../../environment/files/index.ts';
import { loadEnvironment } from '../../environment/index.ts';
import { userAgent } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { type ExportFormatName, exportedEnvironment, exportFormats, openApiDocument } from '../../survey/index.ts';
import { printable } from '../output/terminal.ts';

/** `sextant export`: exports the operations with an environment's data as requests for another tool. */
export function exportRequests(): Command {
  return new Command('export')
    .addOption(new Option('--env <name>', 'environment to take addresses and data from').makeOptionMandatory())
    .addOption(
      new Option('--format <format>', 'tool to export for').choices(Object.keys(exportFormats)).makeOptionMandatory(),
    )
    .option('--output <folder>', 'write files to this folder instead of printing one')
    .action(({ env, format, output }: { env: string; format: ExportFormatName; output?: string }) => {
      const exported = exportedEnvironment(loadEnvironment(env));
      const chosen = exportFormats[format];
      if (output !== undefined) {
        for (const [path, text] of Object.entries(chosen.files(exported))) {
          replaceText(join(output, path), redact(text), fileRoles.written);
          process.stdout.write(`${printable(join(output, path))}\n`);
        }
      } else process.stdout.write(printable(chosen.printed(exported)));
    });
}

/**
 * `sextant openapi`: prints an OpenAPI 3.1 document of the service, from the specification and, with `--env`, from the responses that
 * surveys observed.
 */
export function openapi(): Command {
  return new Command('openapi')
    .option('--env <name>', 'environment to take addresses and responses from')
    .option('--default-response', 'also allow responses that were not observed')
    .action(({ env, defaultResponse: allowsOthers }: { env?: string; defaultResponse?: boolean }) => {
      const version = userAgent.split('/')[1] ?? '0';
      const known = env ? { environment: loadEnvironment(env) } : {};
      const document = openApiDocument({ version, ...known, allowsOthers: allowsOthers === true });
      process.stdout.write(`${printable(JSON.stringify(document, null, 2))}\n`);
    });
}
