import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { silent } from '../../client/index.ts';
import { loadEnvironment } from '../../config/index.ts';
import {
  assertJournalsWhole,
  consentTo,
  describeUndone,
  readJournals,
  undoLeftovers,
  unseenText,
} from '../../scenario/index.ts';
import { withService } from '../embedded-service.ts';
import { interruptible } from '../interrupt.ts';

/** `sextant undo`: undoes changes left behind by killed runs. Exit 0: nothing left · 1: something could not be undone. */
export function undo(): Command {
  return new Command('undo')

    .addOption(new Option('--env <name>', 'environment to clean up').makeOptionMandatory())
    .option('--forget', 'also remove entries that cannot be undone')
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async ({ env, forget = false, yes = false }: { env: string; forget?: boolean; yes?: boolean }) => {
      const environment = loadEnvironment(env);
      await consentTo(environment, { yes });
      const signal = interruptible();
      const options = { observer: silent, runId: randomUUID(), forget, signal };
      const undone = await withService(environment, (at) => undoLeftovers(at, options), { mayMove: false });
      if (undone.length > 0) process.stdout.write(`${describeUndone(env, undone)}\n`);
      if (!forget) assertJournalsWhole(env);
      if (undone.length === 0) process.stdout.write(`${env}: nothing to undo.\n`);
      const unseen = readJournals(env).flatMap((journal) => (journal.live ? [] : journal.unseen));
      for (const each of unseen) process.stdout.write(`  unseen  ${unseenText(each)}\n`);
      process.exitCode = forget || undone.every(({ done }) => done) ? 0 : 1;
    });
}
