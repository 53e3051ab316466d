import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { loadEnvironment } from '../../environments/index.ts';
import { exitCode, overall, runAll, type ScenarioResult, scenarios } from '../../resident/index.ts';
import { runSeed } from '../../suite/index.ts';
import { checkDocument } from '../check-document.ts';
import { withService } from '../embedded.ts';
import { interruptible } from '../interrupt.ts';

interface CheckOptions {
  readonly env: string;
  readonly scenario?: string;
  readonly json?: boolean;
}

/** `sextant check`: every allowed scenario once, in-process. */
export function check(): Command {
  return new Command('check')
    .description('run every allowed scenario once, in-process, and give a verdict')
    .addOption(new Option('--env <name>', 'the environment').makeOptionMandatory())
    .option('--scenario <glob>', 'only scenarios whose title matches')
    .option('--json', 'print one JSON document')
    .action(async ({ env, scenario, json }: CheckOptions) => {
      const environment = loadEnvironment(env);
      const all = await scenarios();
      const chosen = scenario ? all.filter(({ title }) => globMatches(scenario, title)) : all;
      const startedAt = Date.now();
      const onResult = json ? () => {} : (result: ScenarioResult) => process.stdout.write(line(result));
      const signal = interruptible();
      const results = await withService(environment, () =>
        runAll(chosen, { environment, seed: runSeed(), runId: randomUUID(), signal, onResult }),
      );
      const verdict = overall(results.map((result) => result.verdict));
      if (json)
        process.stdout.write(`${JSON.stringify(checkDocument(environment.name, startedAt, results), null, 2)}\n`);
      process.exitCode = exitCode(verdict);
    });
}

function line({ title, verdict, grade, durationMs, reason, notes = [] }: ScenarioResult): string {
  const remarks = notes.filter(({ kind }) => kind === 'new' || verdict !== 'drifted');
  const noted = remarks.map(({ kind, text }) => `    ${kind === 'drift' ? 'drift' : 'noted'}: ${text}\n`).join('');
  return `${verdict.padEnd(12)}${(grade ?? '').padEnd(12)}${`${Math.round(durationMs)} ms`.padStart(9)}  ${title}${reason ? `\n    ${reason}` : ''}\n${noted}`;
}

function globMatches(glob: string, title: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 'i').test(title);
}
