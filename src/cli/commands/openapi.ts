import { Command } from 'commander';
import { userAgent } from '../../client/index.ts';
import { loadEnvironment } from '../../config/index.ts';
import { openApiDocument } from '../../survey/index.ts';
import { printable } from '../output/printable.ts';

/** `sextant openapi`: the known contract of the service as an OpenAPI 3.1 document. */
export function openapi(): Command {
  return new Command('openapi')
    .option('--env <name>', 'environment to take addresses and responses from')
    .option('--default-response', 'allow responses that were not observed, too')
    .action(({ env, defaultResponse: allowsOthers }: { env?: string; defaultResponse?: boolean }) => {
      const version = userAgent.split('/')[1] ?? '0';
      const known = env ? { environment: loadEnvironment(env) } : {};
      const document = openApiDocument({ version, ...known, allowsOthers: allowsOthers === true });
      process.stdout.write(`${printable(JSON.stringify(document, null, 2))}\n`);
    });
}
