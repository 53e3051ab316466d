import { once } from 'node:events';
import { Command, InvalidArgumentError } from 'commander';
import { startService } from '../../../reference-service/index.ts';
import { areaIds, areas } from '../../spec/index.ts';
import { interruptible } from '../interrupt.ts';

/** `sextant serve`: the reference service, until Ctrl-C. */
export function serve(): Command {
  return new Command('serve')
    .description('run the reference service: six areas on consecutive ports, and a provisioner on the next')
    .option('--port <number>', 'first port; 0 picks free ones', portNumber, 4010)
    .option('--data <file>', 'keep the state in this file, across restarts')
    .action(async ({ port, data }: { port: number; data?: string }) => {
      const interrupted = interruptible();
      // Who started it over a channel takes it along when it ends, however it ends.
      if (process.connected) {
        process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
        process.channel?.unref();
      }
      const service = await startService({ port, ...(data ? { data } : {}) });
      for (const area of areaIds) process.stdout.write(`${areas[area].title.padEnd(16)} ${service.addresses[area]}\n`);
      process.stdout.write(`${'Provisioner'.padEnd(16)} ${service.provisionUrl}\nReady. Press Ctrl-C to stop.\n`);
      if (!interrupted.aborted) await once(interrupted, 'abort');
      await service.stop();
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_529)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65529.');
  return port;
}
