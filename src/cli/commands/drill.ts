import { Command } from 'commander';
import { faults, variants } from '../../../reference-service/index.ts';
import { drillDocument, problemsOf, drill as runDrill } from '../../drill/index.ts';
import { ConfigurationError, didYouMean, globMatches, positive } from '../../environment/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { environmentOption } from '../choosing/choose-environments.ts';
import { checked } from '../choosing/selection-options.ts';
import { drillEnvironments, type EnvironmentDrillOptions } from '../drill/drill-environment.ts';
import { drillSummary, outcomeLine } from '../drill/report.ts';
import { Progress } from '../output/progress.ts';
import { interruptible } from '../output/terminal.ts';

interface DrillCommandOptions extends Partial<EnvironmentDrillOptions> {
  readonly fault?: string;
}

/**
 * `sextant drill`: breaks the reference service fault by fault, and shows which scenario catches each fault. With `--env`, it injects the faults
 * between Sextant and the team's own service, which itself isn't modified.
 */
export function drill(): Command {
  return new Command('drill')
    .option('--fault <glob>', 'only faults and valid variants whose name matches')
    .option('--json', 'print one JSON document')
    .addOption(environmentOption('drill, with faults between Sextant and its service, which itself stays unchanged'))
    .option('--yes', 'with --env: consent to the number of requests, and to a first run')
    .option(
      '--fail-under <percent>',
      'with --env: exit code 1 if fewer faults would turn the gate red',
      checked(positive(100)),
    )
    .action(async ({ fault: glob, env, ...options }: DrillCommandOptions) => {
      const { yes, json, failUnder } = options;
      const isChosen = ({ name }: { readonly name: string }) => glob === undefined || globMatches(glob, name);
      if (env) {
        process.exitCode = await drillEnvironments({ ...options, env, isChosen });
        return;
      }
      if (failUnder !== undefined || yes) throw new ConfigurationError('--yes and --fail-under need --env.');
      const chosen = {
        faults: faults.filter(isChosen),
        variants: variants.filter(isChosen),
      };
      const total = chosen.faults.length + chosen.variants.length;
      if (total === 0) throw noSuchFault(glob ?? '');
      const signal = interruptible();
      const progress = new Progress();
      let done = 0;
      const step = (what: string) => progress.show(++done, total, what);
      const drilled = await runDrill({
        ...chosen,
        signal,
        onOutcome: (outcome) => {
          step('variant' in outcome ? outcome.variant.name : outcome.fault.name);
          if (!json && !process.stderr.isTTY) process.stdout.write(`${outcomeLine(outcome)}\n`);
        },
      });
      progress.end();
      if (json) {
        process.stdout.write(`${JSON.stringify(drillDocument(drilled), null, 2)}\n`);
      } else {
        if (process.stderr.isTTY)
          for (const outcome of [...drilled.faults, ...drilled.variants])
            process.stdout.write(`${outcomeLine(outcome)}\n`);
        process.stdout.write(drillSummary(drilled));
      }
      const ending = signal.aborted ? 'unjudged' : problemsOf(drilled).length > 0 ? 'fellShort' : 'held';
      process.exitCode = exitCodes[ending];
    });
}

function noSuchFault(glob: string): ConfigurationError {
  const names = [...faults, ...variants].map(({ name }) => name);
  return new ConfigurationError(
    `No fault or valid variant matches "${glob}"${didYouMean(glob, names)}. \`sextant drill --json\` lists all ${names.length}; * and ? are wildcards in --fault.`,
  );
}
