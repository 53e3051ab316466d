import { Command } from 'commander';
import { faults, variants } from '../../../reference-service/index.ts';
import { ConfigurationError, didYouMean } from '../../config/index.ts';
import {
  type Drilled,
  drillDocument,
  drillSpread,
  problemsOf,
  problemsOfSpread,
  drill as runDrill,
  type Spread,
  spreadDocument,
  spreadResults,
  spreadTasks,
} from '../../fault-injection/index.ts';
import { drillSummary, outcomeLine, spreadLine, spreadSummary } from '../drill-rows.ts';
import { globMatches } from '../glob.ts';
import { interruptible } from '../interrupt.ts';
import { Progress } from '../progress.ts';

interface DrillCommandOptions {
  readonly fault?: string;
  readonly plain?: boolean;
  readonly json?: boolean;
}

/** `sextant drill`: breaks the reference service fault by fault, and shows which scenario catches each. */
export function drill(): Command {
  return new Command('drill')

    .option('--fault <glob>', 'only faults and valid variants whose name matches')
    .option('--plain', 'only on the unchanged reference service, without other readings of the specification')
    .option('--json', 'print one JSON document')
    .action(async ({ fault: glob, plain = false, json }: DrillCommandOptions) => {
      const chosen = { faults: matching(glob, faults), variants: matching(glob, variants) };
      const tasks = plain ? [] : spreadTasks(chosen);
      const total = chosen.faults.length + chosen.variants.length;
      if (total === 0) throw noSuchFault(glob ?? '');
      const signal = interruptible();
      const progress = new Progress(total + tasks.length);
      const drilled = await runDrill({
        ...chosen,
        signal,
        onOutcome: (outcome) => {
          progress.step('variant' in outcome ? outcome.variant.name : outcome.fault.name);
          if (!json && !process.stderr.isTTY) process.stdout.write(`${outcomeLine(outcome)}\n`);
        },
      });
      const spread = tasks.length > 0 && !signal.aborted ? await spreadOf(chosen.faults, progress, signal) : undefined;
      progress.end();
      if (json) process.stdout.write(`${JSON.stringify(documentOf(drilled, spread), null, 2)}\n`);
      else {
        if (process.stderr.isTTY)
          for (const outcome of [...drilled.faults, ...drilled.variants])
            process.stdout.write(`${outcomeLine(outcome)}\n`);
        process.stdout.write(drillSummary(drilled));
        if (spread) process.stdout.write(spreadSummary(spread, spreadResults(spread, faults)));
      }
      const problems = [
        ...problemsOf(drilled),
        ...(spread ? problemsOfSpread(spread, spreadResults(spread, faults)) : []),
      ];
      if (signal.aborted) process.exitCode = 3;
      else process.exitCode = problems.length > 0 ? 1 : 0;
    });
}

function spreadOf(chosen: typeof faults, progress: Progress, signal: AbortSignal): Promise<Spread> {
  return drillSpread({ faults: chosen, signal, onOutcome: (outcome) => progress.step(spreadLine(outcome)) });
}

function documentOf(drilled: Drilled, spread: Spread | undefined) {
  const document = drillDocument(drilled);
  return spread ? { ...document, spread: spreadDocument(spread, spreadResults(spread, faults)) } : document;
}

function matching<T extends { readonly name: string }>(glob: string | undefined, all: readonly T[]): readonly T[] {
  return glob === undefined ? all : all.filter(({ name }) => globMatches(glob, name));
}

function noSuchFault(glob: string): ConfigurationError {
  const names = [...faults, ...variants].map(({ name }) => name);
  return new ConfigurationError(
    `No fault or valid variant matches "${glob}"${didYouMean(glob, names)}. \`sextant drill --json\` lists all ${names.length}; * and ? are wildcards.`,
  );
}
