import { Command } from 'commander';
import type { Environment } from '../../environment/index.ts';
import { unlessStopped } from '../../http/index.ts';
import {
  assertJournalsWhole,
  consentTo,
  describeUndone,
  leftoversOf,
  stoppedBefore,
  sweep,
  takeUsers,
} from '../../safety/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { environmentOption, loadBare, loadEnvironments, setOption } from '../choosing/choose-environments.ts';
import { interruptible, say, warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';

interface UndoOptions {
  readonly env: readonly string[];
  readonly set: readonly string[];
  readonly forget?: boolean;
  readonly yes?: boolean;
}

/** `sextant undo`: undoes changes that killed runs left behind. Exit 0: nothing is left · 1: something could not be undone. */
export function undo(): Command {
  return new Command('undo')
    .addOption(environmentOption('clean up').makeOptionMandatory())
    .addOption(setOption())
    .option('--forget', 'also remove entries that cannot be undone')
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async ({ env, set, forget = false, yes = false }: UndoOptions) => {
      const warnOfMistakes = (text: string) => warn(`${text}\nUndo does not need this, so it continues.`);
      const environments = loadEnvironments(env, set, (name) => loadBare(name, warnOfMistakes));
      for (const environment of environments) await consentTo(environment, { yes });
      const signal = interruptible();
      let isDone = true;
      for (const environment of environments) if (!(await undoIn(environment, forget, signal))) isDone = false;
      process.exitCode = isDone ? exitCodes.held : exitCodes.fellShort;
    });
}

/** Undoes the changes left in one environment. @returns whether nothing is left */
async function undoIn(environment: Environment, forget: boolean, signal: AbortSignal): Promise<boolean> {
  const { name } = environment;
  const outcome = await unlessStopped(sweptAlone(environment, forget, signal), signal, () => 'stopped' as const);
  if (!forget) assertJournalsWhole(environment);
  const left = leftoversOf(environment).length;
  if (outcome === 'stopped') say(stoppedBefore(name, left));
  else if (outcome.length === 0) say(`${name}: nothing to undo.`);
  else say(describeUndone(name, outcome, forget));
  return left === 0;
}

async function sweptAlone(environment: Environment, forget: boolean, signal: AbortSignal) {
  const release = await takeUsers(environment, { signal, say: warn });
  try {
    return await withService(environment, (at) => sweep(at, { forget, signal, say: warn }), { mayMove: false });
  } finally {
    release();
  }
}
