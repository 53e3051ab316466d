import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { silent } from '../../client/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import {
  assertJournalsWhole,
  consentTo,
  describeUndone,
  liveRuns,
  readJournals,
  undoLeftovers,
  unseenText,
  untilRunsAreClear,
} from '../../scenario/index.ts';
import { environmentOption, loadEnvironments } from '../choosing/choose.ts';
import { interruptible } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';

interface UndoOptions {
  readonly env: readonly string[];
  readonly forget?: boolean;
  readonly yes?: boolean;
}

/** `sextant undo`: undoes changes left behind by killed runs. Exit 0: nothing left · 1: something could not be undone, or a run goes on. */
export function undo(): Command {
  return new Command('undo')
    .addOption(environmentOption('clean up').makeOptionMandatory())
    .option('--forget', 'also remove entries that cannot be undone')
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async ({ env, forget = false, yes = false }: UndoOptions) => {
      const environments = loadEnvironments(env);
      for (const environment of environments) await consentTo(environment, { yes });
      const signal = interruptible();
      let isDone = true;
      for (const environment of environments) if (!(await undoIn(environment, forget, signal))) isDone = false;
      process.exitCode = isDone ? 0 : 1;
    });
}

/** @returns whether nothing is left. */
async function undoIn(environment: Environment, forget: boolean, signal: AbortSignal): Promise<boolean> {
  const { name } = environment;
  const options = { observer: silent, runId: randomUUID(), forget, signal };
  await untilRunsAreClear(environment, signal);
  const undone = await withService(environment, (at) => undoLeftovers(at, options), { mayMove: false });
  if (undone.length > 0) process.stdout.write(`${describeUndone(name, undone)}\n`);
  if (!forget) assertJournalsWhole(name);
  const runs = [...liveRuns(environment)];
  for (const [pid, pending] of runs)
    process.stdout.write(
      `${name}: a run is going on (process ${pid}, ${counted(pending, 'change')} to undo). It undoes its changes itself; run this again when it has ended.\n`,
    );
  const journals = readJournals(name).filter(({ live }) => !live);
  const left = journals.flatMap(({ pending }) => pending);
  // Another process was undoing, and was waited for.
  if (signal.aborted && undone.length === 0 && left.length > 0)
    process.stdout.write(`${name}: stopped, with ${counted(left.length, 'change')} to undo.\n`);
  else if (undone.length + runs.length === 0) process.stdout.write(`${name}: nothing to undo.\n`);
  const unseen = journals.flatMap((journal) => journal.unseen);
  for (const each of unseen) process.stdout.write(`  unseen  ${unseenText(each)}\n`);
  return runs.length + left.length === 0;
}
