import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { silent } from '../../client/index.ts';
import { counted, loadEnvironment } from '../../config/index.ts';
import { assertJournalsWhole, consentTo, describeUndone, liveRuns, undoLeftovers } from '../../scenario/index.ts';
import { withService } from '../embedded-service.ts';
import { interruptible } from '../interrupt.ts';

/** `sextant undo`: undoes changes left behind by killed runs. Exit 0: nothing left · 1: something could not be undone, or a run goes on. */
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
      const runs = [...liveRuns(environment)];
      for (const [pid, pending] of runs)
        process.stdout.write(
          `${env}: a run is going on (process ${pid}, ${counted(pending, 'change')} to undo). It undoes its changes itself; run this again when it has ended.\n`,
        );
      if (undone.length + runs.length === 0) process.stdout.write(`${env}: nothing to undo.\n`);
      const isLeft = !forget && undone.some(({ done }) => !done);
      process.exitCode = isLeft || runs.length > 0 ? 1 : 0;
    });
}
