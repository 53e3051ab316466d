import { once } from 'node:events';
import { Command, Option } from 'commander';
import { whileServing } from '../../../reference-service/index.ts';
import { assertRegularFile, fileRoles } from '../../environment/files/index.ts';
import { ConfigurationError, integer, loadEnvironment } from '../../environment/index.ts';
import { areaIds, areas, firstArea } from '../../service/index.ts';
import { checked } from '../choosing/selection-options.ts';
import { interruptible } from '../output/terminal.ts';
import { portsOf } from '../serving/embedded-service.ts';

interface ServeOptions {
  readonly port: number;
  readonly env?: string;
  readonly mayMove?: boolean;
  readonly data?: string;
}

/** `sextant serve`: runs the reference service until Ctrl-C. */
export function serve(): Command {
  return new Command('serve')
    .addOption(
      new Option('--port <number>', 'first port; 0 picks free ones')
        .argParser(checked(integer(0, 65_529)))
        .default(4010)
        .conflicts('env'),
    )
    .option('--env <name>', 'listen at the loopback addresses of this environment')
    .option('--may-move', 'take the next free ports if those are in use')
    .option('--data <file>', 'keep the state in this file, across restarts')
    .action(async ({ port, env, mayMove = false, data }: ServeOptions) => {
      const interrupted = interruptible();
      const named = env ? loadEnvironment(env) : undefined;
      if (named?.isLoopback === false)
        throw new ConfigurationError(
          `${env} has addresses on other machines, but the reference service listens only on this one.`,
        );
      const options = { port: named ? portsOf(named) : port, mayMove, ...(data ? { data } : {}) };
      if (data) assertRegularFile(data, fileRoles.data);
      await whileServing(options, async ({ addresses, provisionUrl }) => {
        for (const area of areaIds) process.stdout.write(`${areas[area].title.padEnd(16)} ${addresses[area]}\n`);
        process.stdout.write(`${'Provisioner'.padEnd(16)} ${provisionUrl}\nReady. Press Ctrl-C to stop.\n`);
        // If another program started this process through IPC, report the port to it.
        process.send?.({ port: new URL(addresses[firstArea]).port });
        if (!interrupted.aborted) await once(interrupted, 'abort');
      }).catch(async (error: unknown) => {
        // Explain a problem with the file `data` to the user. Import `troubleOf` only here, because its module loads many others, which a
        // healthy start doesn't need.
        throw data ? (await import('../../monitor/index.ts')).troubleOf(error, data) : error;
      });
    });
}
