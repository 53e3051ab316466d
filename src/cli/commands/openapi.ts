import { Command } from 'commander';
import { userAgent } from '../../client/index.ts';
import { loadEnvironment } from '../../config/index.ts';
import { openApiDocument } from '../../survey/index.ts';
import { printable } from '../output/printable.ts';

/** `sextant openapi`: the known contract of the service as an OpenAPI 3.1 document. */
export function openapi(): Command {
  return new Command('openapi')
    .option('--env <name>', 'environment to take addresses and responses from')
    .action(({ env }: { env?: string }) => {
      const version = userAgent.split('/')[1] ?? '0';
      const document = openApiDocument({ version, ...(env ? loadEnvironment(env) : {}) });
      process.stdout.write(`${printable(JSON.stringify(document, null, 2))}\n`);
    });
}
