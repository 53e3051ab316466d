import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { silent } from '../../client/index.ts';
import { loadEnvironment } from '../../config/index.ts';
import { consentTo, describeUndone, undoLeftovers } from '../../scenario/index.ts';
import { withService } from '../embedded-service.ts';
import { interruptible } from '../interrupt.ts';

/** `sextant undo`: takes back what killed runs left behind. Exit 0 nothing is left · 1 something could not be undone. */
export function undo(): Command {
  return new Command('undo')
    .addOption(new Option('--env <name>', 'the environment').makeOptionMandatory())
    .option('--forget', 'strike out what can not be undone as well')
    .option('--yes', 'agree to what a first run against an environment is allowed to do')
    .action(async ({ env, forget = false, yes = false }: { env: string; forget?: boolean; yes?: boolean }) => {
      const environment = loadEnvironment(env);
      await consentTo(environment, { yes });
      const signal = interruptible();
      const options = { observer: silent, runId: randomUUID(), forget, signal };
      const undone = await withService(environment, () => undoLeftovers(environment, options));
      const text = undone.length === 0 ? `${env}: nothing was left behind.` : describeUndone(environment.name, undone);
      process.stdout.write(`${text}\n`);
      process.exitCode = forget || undone.every(({ done }) => done) ? 0 : 1;
    });
}
