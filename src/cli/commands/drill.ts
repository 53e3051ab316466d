import { Command } from 'commander';
import { faults, variants } from '../../../reference-service/index.ts';
import { ConfigurationError, didYouMean } from '../../config/index.ts';
import { drillDocument, problemsOf, drill as runDrill } from '../../fault-injection/index.ts';
import { drillSummary, outcomeLine } from '../drill-rows.ts';
import { globMatches } from '../glob.ts';
import { interruptible } from '../interrupt.ts';
import { Progress } from '../progress.ts';

interface DrillCommandOptions {
  readonly fault?: string;
  readonly json?: boolean;
}

/** `sextant drill`: breaks the reference service fault by fault, and tells which scenario caught what. */
export function drill(): Command {
  return new Command('drill')

    .option('--fault <glob>', 'only faults and valid variants whose name matches')
    .option('--json', 'print one JSON document')
    .action(async ({ fault: glob, json }: DrillCommandOptions) => {
      const chosen = { faults: matching(glob, faults), variants: matching(glob, variants) };
      const total = chosen.faults.length + chosen.variants.length;
      if (total === 0) throw noSuchFault(glob ?? '');
      const signal = interruptible();
      const progress = new Progress(total);
      const drilled = await runDrill({
        ...chosen,
        signal,
        onOutcome: (outcome) => {
          progress.step('variant' in outcome ? outcome.variant.name : outcome.fault.name);
          if (!json && !process.stderr.isTTY) process.stdout.write(`${outcomeLine(outcome)}\n`);
        },
      });
      progress.end();
      if (json) process.stdout.write(`${JSON.stringify(drillDocument(drilled), null, 2)}\n`);
      else {
        if (process.stderr.isTTY)
          for (const outcome of [...drilled.faults, ...drilled.variants])
            process.stdout.write(`${outcomeLine(outcome)}\n`);
        process.stdout.write(drillSummary(drilled));
      }
      if (signal.aborted) process.exitCode = 3;
      else process.exitCode = problemsOf(drilled).length > 0 ? 1 : 0;
    });
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
